import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { versions } from "./support/client.ts";
import { thought } from "./support/reply.ts";
import { textOf } from "./support/request.ts";
import { expectInFull, expectShortened, partsOf, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";

scenarios("restore", () => {
  test.each([
    [versions.current, 25],
    [versions.older, 22],
  ])("client %s: after /clear the newest 20 of %i turns are there in full", async (version, size) => {
    await using stage = await setStage(version);
    const window = await stage.open();
    const turns = turnsOf("red", 1, size);
    for (const turn of turns) await window.prompt(turn.prompt);
    await window.clear();
    await window.waitFor("SessionStart:clear says:");
    expect(window.screen()).toContain(`restored 20 turns in full, ${size - 20} as lines`);

    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    const request = requestAbout(stage.api, next.prompt);
    const restored = restoredIn(request);
    const { numbers, total } = partsOf(restored);
    expect(total).toBeGreaterThan(3);
    expect(numbers).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expectInFull(restored, turns.slice(-20));
    expectShortened(restored, turns.slice(0, -20));
    expect(restored).not.toContain(thought);
    expect(textOf(request)).not.toContain("<persisted-output>");
  });

  test("a second and a third /clear still know what came before the first", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    const turns = [...turnsOf("red", 1, 3), ...turnsOf("green", 1, 2), turnOf("blue", 1)];
    for (const [index, turn] of turns.entries()) {
      if (index > 0 && turn.label.endsWith("01")) await window.clear();
      await window.prompt(turn.prompt);
    }
    await window.clear();
    await window.waitFor(`restored ${turns.length} turns in full`);
    const next = turnOf("white", 1);
    await window.prompt(next.prompt);
    expectInFull(restoredIn(requestAbout(stage.api, next.prompt)), turns);
  });
});
