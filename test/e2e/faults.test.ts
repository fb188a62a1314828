import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { versions } from "./support/client.ts";
import { builds } from "./support/repo.ts";
import { partsOf, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";

scenarios("faults", () => {
  test("when part 3 crashes the others arrive in order and the model is told what is missing", async () => {
    await using stage = await setStage(versions.current, builds.faults);
    const window = await stage.open({ THROUGHLINE_FAULT: "part:3" });
    for (const turn of turnsOf("red", 1, 20)) await window.prompt(turn.prompt);
    await window.clear();
    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    const restored = restoredIn(requestAbout(stage.api, next.prompt));
    const { numbers, total } = partsOf(restored);
    expect(total).toBeGreaterThan(3);
    const all = Array.from({ length: total }, (_, index) => index + 1);
    expect(numbers).toEqual(all.filter((number) => number !== 3));
    expect(restored).toMatch(/Part 3 did not arrive: `throughline detail \d\d:\d\d:\d\d/);
  });
});
