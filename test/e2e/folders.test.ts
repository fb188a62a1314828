import { expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { requestAbout } from "./support/api.ts";
import { snapshotOf } from "./support/folder.ts";
import { transcriptsIn } from "./support/home.ts";
import { runThroughline } from "./support/plugin.ts";
import { toolResultOf } from "./support/request.ts";
import { expectInFull, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";

scenarios("folders", () => {
  test("a cd into a sub-folder does not lose the thread", async () => {
    await using stage = await setStage();
    mkdirSync(join(stage.home.project, "deep/er"), { recursive: true });
    const window = await stage.open();
    const [first, ...others] = turnsOf("red", 1, 3);
    if (first === undefined) throw new Error("the talk is empty");
    await window.prompt(first.prompt);
    await window.prompt("green-01: go down. BASH:cd deep/er");
    await window.prompt("green-02: where are you? BASH:pwd");
    expect(toolResultOf(requestAbout(stage.api, "green-02"))).toContain(join(stage.home.project, "deep/er"));
    for (const turn of others) await window.prompt(turn.prompt);
    await window.clear();
    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    expectInFull(restoredIn(requestAbout(stage.api, next.prompt)), [first, ...others]);
  });

  test("the project stays as it was and the transcripts are the client's own", async () => {
    await using stage = await setStage();
    const before = snapshotOf(stage.home.project);
    const window = await stage.open();
    for (const turn of turnsOf("red", 1, 3)) await window.prompt(turn.prompt);
    await window.clear();
    await window.prompt(turnOf("blue", 1).prompt);
    await window.clear();
    expect(snapshotOf(stage.home.project)).toEqual(before);

    // A client that is gone writes nothing more: what changes from here on is our doing.
    await window.close();
    const client = snapshotOf(join(stage.home.folder, ".claude"));
    const transcripts = transcriptsIn(stage.home);
    expect(transcripts.size).toBeGreaterThanOrEqual(2);
    for (const [session_id, transcript_path] of transcripts) {
      expectClientsOwn(readFileSync(transcript_path, "utf8"));
      const event = { session_id, transcript_path, cwd: stage.home.project };
      await runThroughline(stage.home, ["hook", "stop"], { ...event, hook_event_name: "Stop" });
      await runThroughline(stage.home, ["hook", "session-end"], {
        ...event,
        hook_event_name: "SessionEnd",
        reason: "clear",
      });
    }
    for (const args of [["status"], ["preview"], ["detail", "00:00-23:59"]]) await runThroughline(stage.home, args);
    expect(snapshotOf(join(stage.home.folder, ".claude"))).toEqual(client);
    expect(snapshotOf(stage.home.project)).toEqual(before);
  });
});

/** Expects a file of whole lines, each exactly as the client's JSON.stringify leaves it. */
function expectClientsOwn(transcript: string): void {
  expect(transcript.endsWith("\n")).toBe(true);
  const lines = transcript.slice(0, -1).split("\n");
  expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).toEqual(lines);
  // The client notes here every hook that failed, was cancelled or blocked it.
  expect(transcript).not.toMatch(/"hook_(non_blocking_error|blocking_error|error_during_execution|cancelled|blocked)"/);
}
