import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { rewind } from "./support/menu.ts";
import { textOf } from "./support/request.ts";
import { expectTold, expectUntold, restoredIn } from "./support/restored.ts";
import { type Stage, setStage } from "./support/stage.ts";
import { heldOf, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { labelIn, replyTo } from "./support/talk.ts";
import type { Window } from "./support/window.ts";

/** Goes back to before that prompt and sends another one. */
async function goBack(window: Window, to: string, prompt: string): Promise<void> {
  await rewind(window, to, "Restore conversation");
  await window.empty();
  await window.prompt(prompt);
}

/** Expects the session to hold `kept`, and after a `/clear` the model to be told of these and of nothing in `left`. */
async function expectKept(stage: Stage, window: Window, kept: string[], left: string[]): Promise<void> {
  const session = window.sessionId();
  const newest = kept.at(-1) ?? "";
  const seen = textOf(requestAbout(stage.api, newest));
  expect(left.filter((prompt) => seen.includes(prompt))).toEqual([]);
  await window.clear();
  expect(talkIn(await heldOf(stage.home, session))).toEqual(kept.map(turnOf));
  await window.prompt("white-01: go on");
  const restored = restoredIn(requestAbout(stage.api, "white-01"));
  expectTold(
    restored,
    kept.flatMap((prompt) => [prompt, replyTo(labelOf(prompt))]),
  );
  expectUntold(restored, left);
}

const turnOf = (prompt: string) => [`user: ${prompt}`, `assistant: ${replyTo(labelOf(prompt))}`];
const labelOf = (prompt: string) => labelIn(prompt) ?? prompt;

const red = ["red-01: look", "red-02: listen", "red-03: wait"];
const [first = "", second = ""] = red;

scenarios("rewind", () => {
  test("the turns that a rewind left are not told", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    for (const prompt of red) await window.prompt(prompt);
    await goBack(window, second, "green-01: another way");
    await expectKept(stage, window, [first, "green-01: another way"], red.slice(1));
  });

  test("a rewind to the very first prompt leaves every turn", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    for (const prompt of red) await window.prompt(prompt);
    await goBack(window, first, "green-01: another way");
    await expectKept(stage, window, ["green-01: another way"], red);
  });

  test("a rewind of a rewind leaves what the first one began", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    for (const prompt of red.slice(0, 2)) await window.prompt(prompt);
    await goBack(window, second, "green-01: another way");
    await window.prompt("green-02: and on");
    await goBack(window, "green-02", "blue-01: a third way");
    await goBack(window, "green-01", "blue-02: a fourth way");
    await expectKept(stage, window, [first, "blue-02: a fourth way"], ["red-02", "green-0", "blue-01"]);
  });

  test.each([
    ["the first prompt", "red-01"],
    ["the /clear itself", "/clear"],
  ])("after a /clear a rewind to %s leaves what was said since", async (_, to) => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt("blue-01: before it");
    await window.clear();
    for (const prompt of red.slice(0, 2)) await window.prompt(prompt);
    await goBack(window, to, "green-01: another way");
    const session = window.sessionId();
    await window.clear();
    expect(talkIn(await heldOf(stage.home, session))).toEqual([turnOf("green-01: another way")]);
    await window.prompt("white-01: go on");
    const restored = restoredIn(requestAbout(stage.api, "white-01"));
    expectTold(restored, ["blue-01: before it", "green-01: another way"]);
    expectUntold(restored, red);
  });

  test("a rewind to a slash command leaves what came behind it", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt(first);
    await window.settle();
    await window.submit("/effort low");
    await window.waitFor("Set effort level");
    await window.prompt(second);
    await goBack(window, "/effort", "green-01: another way");
    await expectKept(stage, window, [first, "green-01: another way"], [second]);
  });

  test("after a /clear the menu's way back into the session before it goes on there", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt("blue-01: before it");
    const before = window.sessionId();
    await window.clear();
    await window.prompt(first);
    await rewind(window, "(previous session)");
    await window.until("session before", () => window.sessionId() === before);
    await window.prompt("green-01: on from there");
    await expectKept(stage, window, ["blue-01: before it", "green-01: on from there"], [first]);
  });
});
