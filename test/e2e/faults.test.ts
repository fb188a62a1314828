import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { versions } from "./support/client.ts";
import { builds } from "./support/repo.ts";
import { toolResultOf } from "./support/request.ts";
import { partsOf, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";

scenarios("faults", () => {
  test("when part 3 crashes the others arrive in order and the model is told what is missing", async () => {
    await using stage = await setStage(versions.current, builds.faults);
    const window = await stage.open({ THROUGHLINE_FAULT: "part:3" });
    const turns = turnsOf("red", 1, 20);
    for (const turn of turns) await window.prompt(turn.prompt);
    await window.clear();
    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    const restored = restoredIn(requestAbout(stage.api, next.prompt));
    const { numbers, total } = partsOf(restored);
    expect(total).toBeGreaterThan(3);
    const all = Array.from({ length: total }, (_, index) => index + 1);
    expect(numbers).toEqual(all.filter((number) => number !== 3));
    const lost = turns.filter((turn) => !restored.includes(turn.prompt));
    expect(lost.length).toBeGreaterThan(1);
    const command = /Part 3 did not arrive: `(throughline detail [^`]+)`/.exec(restored)?.[1];
    expect(command).toBeDefined();
    await window.prompt(`green-01: fetch what is missing. BASH:${command}`);
    const output = toolResultOf(requestAbout(stage.api, "green-01")) ?? "";
    expect(lost.flatMap(({ prompt, answer }) => [prompt, ...answer]).filter((line) => !output.includes(line))).toEqual(
      [],
    );
  });
});
