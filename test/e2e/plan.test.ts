import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { exchangeAbout, requestAbout } from "./support/api.ts";
import { versions } from "./support/client.ts";
import { choose, mark, take } from "./support/menu.ts";
import { builds } from "./support/repo.ts";
import { textOf } from "./support/request.ts";
import { expectTold, expectUntold, restoredIn } from "./support/restored.ts";
import { type Stage, setStage } from "./support/stage.ts";
import { detailsIn, heldOf, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { openingOf, replyTo } from "./support/talk.ts";
import type { Window } from "./support/window.ts";

const first = "red-01: look";
const asked = "red-02: plan it. HELD CALL:ExitPlanMode {}";
const step = "polish the copper lantern";
const menu = "Would you like to proceed?";

/** A window in which Claude has made a plan and asks what becomes of it. */
async function openPlanning(stage: Stage): Promise<Window> {
  const window = await stage.open();
  await window.prompt(first);
  window.press("ShiftTab");
  await window.waitFor("accept edits on");
  window.press("ShiftTab");
  await window.waitFor("plan mode on");
  await window.submit(asked);
  await window.until("call", () => exchangeAbout(stage.api, asked));
  const file = await window.until("file for the plan", () => /"planFilePath":"([^"]+)"/.exec(window.transcript())?.[1]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `# The plan\n\n1. ${step}\n2. done\n`);
  exchangeAbout(stage.api, asked)?.goOn();
  await window.waitFor(menu);
  return window;
}

const setPlanStage = () => setStage(versions.current, builds.plugin, { showClearContextOnPlanAccept: true });

scenarios("plan", () => {
  test("a plan accepted with a cleared context is a hand-over, and its turn is nobody's prompt", async () => {
    await using stage = await setPlanStage();
    const window = await openPlanning(stage);
    const before = window.sessionId();
    await window.during(() => choose(window, menu, "1. Yes, clear context"));
    const carried = window.sessionId();
    expect(carried).not.toBe(before);
    const request = stage.api.exchanges.at(-1)?.request ?? requestAbout(stage.api, step);
    expect(textOf(request)).toContain("Implement the following plan:");
    expectTold(restoredIn(request), [first, replyTo("red-01"), asked, openingOf("red-02")]);

    const line = window
      .transcript()
      .split("\n")
      .find((text) => text.includes('"planContent"'));
    const handOver = /"uuid":"([^"]+)"/.exec(line ?? "")?.[1];
    expect(handOver).toBeDefined();

    const next = "green-01: and on";
    await window.prompt(next);
    await window.clear();
    const held = await heldOf(stage.home, carried);
    expect(held.map(({ prompt }) => prompt)).toEqual([[], [next]]);
    expect(held[0]?.uuid).toBe(handOver);
    expect(held[0]?.answer.join("\n")).toStartWith("Answer to");
    expect(held[0]?.details.map(({ tool }) => tool)).toContain("plan");
    expect(detailsIn(held)).toContain(step);
    await window.prompt("white-01: go on");
    const restored = restoredIn(requestAbout(stage.api, "white-01"));
    expectTold(restored, [first, asked, "Implement the following plan:", next, replyTo("green-01")]);
    expectUntold(restored, ["read the full transcript at"]);
  });

  test("what the person wants changed in a plan is the person's, and the turn goes on", async () => {
    await using stage = await setPlanStage();
    const window = await openPlanning(stage);
    const change = "use the violet lantern instead";
    await mark(window, menu, "Tell Claude what to change");
    window.type(change);
    await window.waitFor(change);
    await window.during(async () => {
      const before = stage.api.exchanges.length;
      await take(window);
      await window.until("call", () => stage.api.exchanges.length > before);
      stage.api.exchanges.at(-1)?.goOn();
    });
    const session = window.sessionId();
    await window.clear();
    const held = await heldOf(stage.home, session);
    expect(talkIn(held)).toEqual([
      [`user: ${first}`, `assistant: ${replyTo("red-01")}`],
      [`user: ${asked}`, `assistant: ${openingOf("red-02")}`, `user: ${change}`, `assistant: ${replyTo("red-02")}`],
    ]);
    expect(detailsIn(held)).not.toContain(change);
    await window.prompt("white-01: go on");
    expectTold(restoredIn(requestAbout(stage.api, "white-01")), [
      asked,
      openingOf("red-02"),
      change,
      replyTo("red-02"),
    ]);
  });
});
