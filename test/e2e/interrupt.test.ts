import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { expectInFull, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { answerTo, endOf, turnOf } from "./support/talk.ts";

scenarios("interrupt", () => {
  test("a turn that Esc broke off is restored with what was said, and marked", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    const before = turnOf("red", 1);
    await window.prompt(before.prompt);
    const broken = "green-01: take your time with this one, SLOWLY";
    const [, said] = answerTo("green-01");
    if (said === undefined) throw new Error("the answer has one line only");
    await window.submit(broken);
    await window.waitFor(said);
    window.press("Escape");
    await window.waitFor("Interrupted");
    await window.clear();

    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    const restored = restoredIn(requestAbout(stage.api, next.prompt));
    expectInFull(restored, [before]);
    expect(restored).toContain(broken);
    expect(restored).toContain(said);
    expect(restored).not.toContain(endOf("green-01"));
    expect(restored.slice(restored.lastIndexOf(broken))).toMatch(/interrupted/i);
  });
});
