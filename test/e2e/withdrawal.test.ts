import { expect, test } from "bun:test";
import { exchangeAbout, requestAbout } from "./support/api.ts";
import { expectTold, expectUntold, restoredIn } from "./support/restored.ts";
import { withoutSpaces } from "./support/screen.ts";
import { type Stage, setStage } from "./support/stage.ts";
import { heldOf, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { labelIn, replyTo } from "./support/talk.ts";
import type { Window } from "./support/window.ts";

const first = "red-01: look";
const taken = "red-02: not yet, HELD";

const turnOf = (prompt: string) => [`user: ${prompt}`, `assistant: ${replyTo(labelIn(prompt) ?? prompt)}`];

/** Sends that prompt and takes it back before Claude has said a word. */
async function takeBack(stage: Stage, window: Window): Promise<void> {
  await window.prompt(first);
  await window.submit(taken);
  await window.until("call", () => exchangeAbout(stage.api, taken));
  window.press("Escape");
  await window.until("prompt in the input box", () => window.input() === withoutSpaces(taken));
}

/** Expects that only these prompts were said. */
async function expectSaid(stage: Stage, window: Window, prompts: string[], never: string[]): Promise<void> {
  const session = window.sessionId();
  await window.clear();
  expect(talkIn(await heldOf(stage.home, session))).toEqual(prompts.map(turnOf));
  await window.prompt("white-01: go on");
  const restored = restoredIn(requestAbout(stage.api, "white-01"));
  expectTold(restored, prompts);
  expectUntold(restored, never);
}

scenarios("withdrawal", () => {
  test("a prompt taken back before any answer and sent with more words counts once", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await takeBack(stage, window);
    window.type(" but now and in full");
    const whole = `${taken} but now and in full`;
    await window.until("words in the input box", () => window.input() === withoutSpaces(whole));
    window.press("Enter");
    await window.until("call", () => exchangeAbout(stage.api, whole));
    exchangeAbout(stage.api, whole)?.goOn();
    await window.answered(whole);
    await expectSaid(stage, window, [first, whole], []);
  });

  test("a prompt taken back before any answer and replaced by another one was never said", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await takeBack(stage, window);
    await window.empty();
    await window.prompt("green-01: another thing");
    await expectSaid(stage, window, [first, "green-01: another thing"], [taken]);
  });
});
