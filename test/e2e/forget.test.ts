import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { requestAbout } from "./support/api.ts";
import { runThroughline } from "./support/plugin.ts";
import { textOf } from "./support/request.ts";
import { expectAbsent, expectInFull, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";

scenarios("forget", () => {
  test("a turn that was forgotten is told to nobody, though its transcript is read on", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    const turns = turnsOf("red", 1, 4);
    for (const turn of turns.slice(0, 3)) await window.prompt(turn.prompt);
    const secret = turns[1] as (typeof turns)[number];
    const said = await runThroughline(stage.home, ["forget", "--match", `"${secret.prompt}"`, "--yes"]);
    expect(said).toContain("1 turn forgotten");
    expect(said).toContain(window.sessionId());
    await window.prompt((turns[3] as (typeof turns)[number]).prompt);
    await window.clear();
    await window.waitFor("restored 3 turns in full");
    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    const request = requestAbout(stage.api, next.prompt);
    expectInFull(
      restoredIn(request),
      turns.filter((turn) => turn !== secret),
    );
    expect(textOf(request)).not.toContain(secret.prompt);
  });

  test("a conversation whose transcript the person deleted is not brought up again", async () => {
    await using stage = await setStage();
    const turns = turnsOf("red", 1, 2);
    {
      await using window = await stage.open();
      for (const turn of turns) await window.prompt(turn.prompt);
      await window.exit();
    }
    rmSync(join(stage.home.folder, ".claude/projects"), { recursive: true });
    const window = await stage.open();
    await window.waitFor("was deleted, though Claude Code keeps them for 30 days");
    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    const request = requestAbout(stage.api, next.prompt);
    expect(restoredIn(request)).toBe("");
    expectAbsent(textOf(request), turns);
  });
});
