import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { choose, mark, take } from "./support/menu.ts";
import { toolResultOf } from "./support/request.ts";
import { expectTold, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { detailsIn, heldOf, type StoredTurn, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { openingOf, replyTo } from "./support/talk.ts";
import type { Window } from "./support/window.ts";

const question = "Which lamp?";
const options = [
  { label: "Copper", description: "the old one" },
  { label: "Violet", description: "the new one" },
];
const input = { questions: [{ question, header: "Lamp", multiSelect: false, options }] };
const prompt = `red-01: ask me. CALL:AskUserQuestion ${JSON.stringify(input)}`;
const menu = "Enter to select";

/** Plays the question, answered by `act`, and a `/clear`; gives back what is held and what the next session is told. */
async function play(act: (window: Window) => Promise<void>): Promise<{ held: StoredTurn[]; restored: string }> {
  await using stage = await setStage();
  const window = await stage.open();
  await window.submit(prompt);
  await window.waitFor(menu);
  await window.during(() => act(window));
  expect(toolResultOf(requestAbout(stage.api, prompt))).toBeDefined();
  const left = window.sessionId();
  await window.clear();
  const held = await heldOf(stage.home, left);
  await window.prompt("blue-01: go on");
  return { held, restored: restoredIn(requestAbout(stage.api, "blue-01")) };
}

function expectAnswer({ held, restored }: Awaited<ReturnType<typeof play>>, answer: string): void {
  const words = `${question}\n→ ${answer}`;
  expect(talkIn(held)).toEqual([
    [`user: ${prompt}`, `assistant: ${openingOf("red-01")}`, `user: ${words}`, `assistant: ${replyTo("red-01")}`],
  ]);
  expect(held[0]?.details.map(({ output }) => output ?? "").join("\n")).not.toContain(answer);
  expectTold(restored, [openingOf("red-01"), words, replyTo("red-01")]);
}

scenarios("questions", () => {
  test("the option that the person takes is the person's words, with the question", async () => {
    expectAnswer(await play((window) => choose(window, menu, "Violet")), "Violet");
  });

  test("the answer that the person types is the person's words, with the question", async () => {
    const typed = "a glass one";
    const played = await play(async (window) => {
      await mark(window, menu, "3. Type something");
      window.type(typed);
      await window.waitFor(typed);
      await take(window);
    });
    expectAnswer(played, typed);
  });

  test("a person who would rather chat has said nothing yet", async () => {
    const { held } = await play((window) => choose(window, menu, "Chat about this"));
    expect(talkIn(held)).toEqual([
      [`user: ${prompt}`, `assistant: ${openingOf("red-01")}`, `assistant: ${replyTo("red-01")}`],
    ]);
    expect(detailsIn(held)).toContain("wants to clarify");
  });
});
