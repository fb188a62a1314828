import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { requestAbout } from "./support/api.ts";
import { toolResultOf } from "./support/request.ts";
import { restoredIn, timeOf } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";

scenarios("detail", () => {
  test("the model fetches an old tool output by its time without asking, and nothing else with it", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    const turns = turnsOf("red", 1, 4);
    for (const turn of turns) await window.prompt(turn.prompt);
    await window.clear();
    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    const restored = restoredIn(requestAbout(stage.api, next.prompt));

    for (const [index, turn] of turns.entries()) {
      const lookup = `green-0${index + 1}: fetch it. BASH:throughline detail ${timeOf(restored, turn)}`;
      await window.prompt(lookup);
      const output = toolResultOf(requestAbout(stage.api, lookup));
      expect(output).toContain(turn.tool);
      expect(output).toContain(turn.prompt);
    }

    const time = timeOf(restored, turnOf("red", 1)).slice(0, 5);
    await window.submit(`white-01: fetch it. BASH:throughline detail ${time}; touch x`);
    await window.waitFor("Do you want to proceed?");
    expect(existsSync(join(stage.home.project, "x"))).toBe(false);
    window.press("Escape");
    await window.settle();
  });
});
