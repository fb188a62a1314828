import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { mark, take } from "./support/menu.ts";
import { expectTold, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { detailsIn, heldOf, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { openingOf, replyTo } from "./support/talk.ts";

const asks = "Do you want to proceed?";

scenarios("rejection", () => {
  test.each([
    ["3. No", "No, and tell Claude what to do differently"],
    ["1. Yes", "Yes, and tell Claude what to do next"],
  ])("what the person says with %s to a tool is the person's and the turn goes on", async (option, invitation) => {
    await using stage = await setStage();
    const window = await stage.open();
    const prompt = "red-01: write it. BASH:touch made";
    const reason = "use the copper lantern";
    await window.submit(prompt);
    await mark(window, asks, option);
    window.press("Tab");
    await window.waitFor(invitation);
    window.type(reason);
    await window.waitFor(reason);
    await window.during(() => take(window));
    const left = window.sessionId();
    await window.clear();

    const held = await heldOf(stage.home, left);
    const [turn, ...others] = talkIn(held);
    expect(others).toEqual([]);
    expect(turn?.slice(0, 3)).toEqual([`user: ${prompt}`, `assistant: ${openingOf("red-01")}`, `user: ${reason}`]);
    expect(turn?.[3]).toStartWith("assistant: Answer to");
    expect(held[0]?.state).toBe("open");
    expect(detailsIn(held)).not.toContain(reason);
    await window.prompt("blue-01: go on");
    expectTold(restoredIn(requestAbout(stage.api, "blue-01")), [prompt, openingOf("red-01"), reason]);
  });

  test("a rejection without a word ends the turn, and nobody's words are made up", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    const prompt = "red-01: write it. BASH:touch made";
    await window.submit(prompt);
    await window.waitFor(asks);
    window.press("Escape");
    await window.waitFor("Interrupted");
    await window.prompt("red-02: do something else");
    const left = window.sessionId();
    await window.clear();

    const held = await heldOf(stage.home, left);
    expect(talkIn(held)).toEqual([
      [`user: ${prompt}`, `assistant: ${openingOf("red-01")}`],
      ["user: red-02: do something else", `assistant: ${replyTo("red-02")}`],
    ]);
    expect(held.map(({ state }) => state)).toEqual(["interrupted", "open"]);
  });
});
