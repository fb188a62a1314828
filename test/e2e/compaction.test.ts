import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { rewind } from "./support/menu.ts";
import { textOf } from "./support/request.ts";
import { expectTold, expectUntold, restoredIn } from "./support/restored.ts";
import { type Stage, setStage } from "./support/stage.ts";
import { detailsIn, heldOf, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { labelIn, replyTo } from "./support/talk.ts";
import type { Window } from "./support/window.ts";

const before = ["red-01: look", "red-02: listen", "red-03: wait"];
const after = "green-01: and on";
const summaryStart = "This session is being continued from a previous conversation";
/** What the stand-in answers where the client asks for a summary. */
const summary = /Answer to reply \d/;

const turnOf = (prompt: string) => [`user: ${prompt}`, `assistant: ${replyTo(labelIn(prompt) ?? prompt)}`];

/** Goes on with one prompt after a summary was made; expects every turn once, and the summary in nobody's mouth. */
async function expectWhole(stage: Stage, window: Window): Promise<void> {
  await window.prompt(after);
  const asked = textOf(requestAbout(stage.api, after));
  expect(asked).toContain(summaryStart);
  expect(asked.match(/Throughline keeps the 3 turns/g)).toHaveLength(1);
  expect(asked.match(/throughline detail \d{4}-/g)).toHaveLength(1);
  const session = window.sessionId();
  await window.clear();

  const held = await heldOf(stage.home, session);
  expect(talkIn(held)).toEqual([...before, after].map(turnOf));
  expect(detailsIn(held)).toContain(summaryStart);
  await window.prompt("white-01: go on");
  const restored = restoredIn(requestAbout(stage.api, "white-01"));
  expectTold(
    restored,
    [...before, after].flatMap((prompt) => [prompt, replyTo(labelIn(prompt) ?? prompt)]),
  );
  expectUntold(restored, [summaryStart, "/compact"]);
  expect(restored).not.toMatch(summary);
}

scenarios("compaction", () => {
  test.each(["/compact", "/compact keep the copper"])(
    "%s loses no turn, is none itself and brings one line of context",
    async (command) => {
      await using stage = await setStage();
      const window = await stage.open();
      for (const prompt of before) await window.prompt(prompt);
      await window.submit(command);
      await window.waitFor("Compacted");
      await window.settle();
      await expectWhole(stage, window);
    },
  );

  test.each(["Summarize from here", "Summarize up to here"])("%s loses no turn and is none itself", async (way) => {
    await using stage = await setStage();
    const window = await stage.open();
    for (const prompt of before) await window.prompt(prompt);
    await rewind(window, "red-02", way);
    await window.waitFor("Summarized");
    await window.empty();
    await expectWhole(stage, window);
  });
});
