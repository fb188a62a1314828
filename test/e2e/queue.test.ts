import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { exchangeAbout, requestAbout } from "./support/api.ts";
import { textOf } from "./support/request.ts";
import { expectTold, restoredIn } from "./support/restored.ts";
import { type Stage, setStage } from "./support/stage.ts";
import { detailsIn, heldOf, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { openingOf, replyTo } from "./support/talk.ts";
import type { Window } from "./support/window.ts";

/** A prompt whose tool runs until the test lets it end. */
const working = "red-01: work on it. BASH:seq 1 3; until [ -e go ]; do sleep 0.05; done";

async function startWorking(window: Window): Promise<void> {
  await window.submit(working);
  await window.waitFor("until [ -e go ]; do");
  await window.waitFor("esc to interrupt");
}

/** Lets the tool end and waits for the answer that follows. */
async function endWork(stage: Stage, window: Window): Promise<void> {
  await window.during(() => writeFileSync(join(stage.home.project, "go"), ""));
}

scenarios("queue", () => {
  test("a text typed while a tool runs is the person's, once, where Claude got it", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await startWorking(window);
    const aside = "please mind the copper lantern";
    await window.submit(aside);
    await window.waitFor("Queued");
    await endWork(stage, window);
    expect(textOf(stage.api.exchanges.at(-1)?.request ?? requestAbout(stage.api, working))).toContain(aside);
    const left = window.sessionId();
    await window.clear();

    const [turn, ...others] = talkIn(await heldOf(stage.home, left));
    expect(others).toEqual([]);
    expect(turn?.slice(0, 3)).toEqual([`user: ${working}`, `assistant: ${openingOf("red-01")}`, `user: ${aside}`]);
    expect(turn?.[3]).toStartWith("assistant: ");
    await window.prompt("blue-01: go on");
    const restored = restoredIn(requestAbout(stage.api, "blue-01"));
    expectTold(restored, [working, openingOf("red-01"), aside]);
  });

  test("what begins like a tag is the person's too, pasted or typed", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await startWorking(window);
    const typed = "<b> is the tag I mean";
    await window.submit(typed);
    await window.waitFor("Queued");
    window.type(`\x1b[200~${"a pasted line of copper\n".repeat(12)}\x1b[201~`);
    await window.waitFor("[Pasted text");
    window.press("Enter");
    await window.waitFor("Press up to edit queued messages");
    await endWork(stage, window);
    const left = window.sessionId();
    await window.clear();

    const held = await heldOf(stage.home, left);
    expect(held).toHaveLength(1);
    const words = held.flatMap(({ prompt }) => prompt).join("\n");
    expect(words).toContain(typed);
    expect(words.split("a pasted line of copper")).toHaveLength(13);
    expect(detailsIn(held)).not.toContain("copper");
  });

  test("a text that waits for the end of an answer is the next prompt, once", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    const first = "red-01: take your time, SLOWLY";
    const second = "red-02: then mind the copper lantern";
    await window.submit(first);
    await window.waitFor("red-01 line 1");
    await window.submit(second);
    await window.waitFor("Queued");
    exchangeAbout(stage.api, first)?.goOn();
    await window.answered(second);
    const left = window.sessionId();
    await window.clear();

    const talk = [
      [`user: ${first}`, `assistant: ${replyTo("red-01")}`],
      [`user: ${second}`, `assistant: ${replyTo("red-02")}`],
    ];
    expect(talkIn(await heldOf(stage.home, left))).toEqual(talk);
    await window.prompt("blue-01: go on");
    expectTold(restoredIn(requestAbout(stage.api, "blue-01")), [first, replyTo("red-01"), second, replyTo("red-02")]);
  });

  test("a text that waits while Esc breaks the answer off is the next prompt, once", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    const first = "red-01: not yet, HELD";
    const second = "red-02: mind the copper lantern";
    await window.submit(first);
    await window.until("call", () => exchangeAbout(stage.api, first));
    await window.submit(second);
    await window.waitFor("Queued");
    window.press("Escape");
    await window.answered(second);
    const left = window.sessionId();
    await window.clear();

    const held = await heldOf(stage.home, left);
    expect(talkIn(held)).toEqual([[`user: ${first}`], [`user: ${second}`, `assistant: ${replyTo("red-02")}`]]);
    expect(held[0]?.state).toBe("interrupted");
    await window.prompt("blue-01: go on");
    expectTold(restoredIn(requestAbout(stage.api, "blue-01")), [first, second, replyTo("red-02")]);
  });
});
