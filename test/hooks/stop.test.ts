import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import stop from "../../src/hooks/stop.ts";
import { databaseFile } from "../../src/paths.ts";
import { openStore } from "../../src/store/open.ts";
import { Window } from "../support/claude.ts";
import { tellTurns } from "../support/dump.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const event = (more: Record<string, unknown>) =>
  JSON.stringify({ session_id: "s1", hook_event_name: "Stop", prompt_id: "p1", ...more });

function stored(home: TempHome): string[] {
  using db = openStore(databaseFile(home.env()));
  return tellTurns(db);
}

describe("the answer that the event tells", () => {
  test("is waited for where the transcript lags behind", async () => {
    using home = tempHome();
    const file = join(home.folder, "s1.jsonl");
    const t = new TranscriptBuilder("s1");
    t.prompt("why?");
    writeFileSync(file, t.text);
    const before = t.text.length;
    t.say("\u001b[1mBecause\u001b[0m of  this.");
    const written = Bun.sleep(60).then(() => appendFileSync(file, t.text.slice(before)));
    await stop(home.env(), event({ transcript_path: file, last_assistant_message: "Because of this." }), []);
    await written;
    expect(stored(home)).toEqual(["turn 1", "  user: why?", "  assistant: Because of  this."]);
  });

  test("in several messages of the turn is not waited for", async () => {
    using home = tempHome();
    const file = join(home.folder, "s1.jsonl");
    const t = new TranscriptBuilder("s1");
    t.prompt("why?");
    t.say("First this.");
    t.say("Then that.");
    writeFileSync(file, t.text);
    const started = performance.now();
    await stop(home.env(), event({ transcript_path: file, last_assistant_message: "First this.\n\nThen that." }), []);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("that never comes is left to the next event after two seconds", async () => {
    using home = tempHome();
    const file = join(home.folder, "s1.jsonl");
    const t = new TranscriptBuilder("s1");
    t.prompt("why?");
    writeFileSync(file, t.text);
    const started = performance.now();
    await stop(home.env(), event({ transcript_path: file, last_assistant_message: "Because." }), []);
    expect(performance.now() - started).toBeGreaterThan(1_900);
    expect(stored(home)).toEqual(["turn 1", "  user: why?"]);
  });

  test("is all that is kept where there is no transcript, marked and once; the transcript, found later, replaces it", async () => {
    using home = tempHome();
    const file = join(home.folder, "s1.jsonl");
    for (const path of [file, file, null]) {
      const call = stop(home.env(), event({ transcript_path: path, last_assistant_message: "Because." }), []);
      await expect(Promise.resolve(call)).rejects.toThrow("the transcript is missing");
    }
    expect(stored(home)).toEqual(["turn 1 answer_only", "  assistant: Because."]);
    const t = new TranscriptBuilder("s1");
    t.prompt("why?");
    t.say("Because.");
    writeFileSync(file, t.text);
    await stop(home.env(), event({ transcript_path: file, last_assistant_message: "Because." }), []);
    expect(stored(home)).toEqual(["turn 1", "  user: why?", "  assistant: Because."]);
  });
});

test("a transcript that is not where the event says is found by its session's name", async () => {
  using home = tempHome();
  const t = new TranscriptBuilder("s1");
  t.prompt("why?");
  const folder = join(home.folder, ".claude/projects/-moved-worktree");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "s1.jsonl"), t.text);
  await stop(home.env(), event({ transcript_path: join(home.folder, "gone/s1.jsonl") }), []);
  expect(stored(home)).toEqual(["turn 1", "  user: why?"]);
  // The client's folder elsewhere, and the file moved again between two events.
  const elsewhere = join(home.folder, "config/projects/p");
  mkdirSync(elsewhere, { recursive: true });
  renameSync(join(folder, "s1.jsonl"), join(elsewhere, "s1.jsonl"));
  const before = t.text.length;
  t.say("Because.");
  appendFileSync(join(elsewhere, "s1.jsonl"), t.text.slice(before));
  const vars = { ...home.env().vars, CLAUDE_CONFIG_DIR: join(home.folder, "config") };
  await stop(home.env({ vars }), event({ transcript_path: null }), []);
  expect(stored(home)).toEqual(["turn 1", "  user: why?", "  assistant: Because."]);
});

test("where the client does not name the project, it is the first folder of the transcript", async () => {
  using home = tempHome();
  const file = join(home.folder, "s1.jsonl");
  const t = new TranscriptBuilder("s1");
  t.prompt("why?");
  writeFileSync(file, t.text);
  const vars = { CLAUDE_PID: "100" };
  await stop(home.env({ vars }), event({ transcript_path: file, cwd: "/home/dev/project/sub/folder" }), []);
  using db = openStore(databaseFile(home.env()));
  expect(db.query("select path from projects").all()).toEqual([{ path: "/home/dev/project" }]);
});

test("what the client wrote of the session before after its end is read at the first answer", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  await window.turn("one");
  const file = window.file;
  await window.clear("b");
  const late = new TranscriptBuilder("a", Window.clock, 1_000, "late-");
  late.prompt("too late for the end");
  appendFileSync(file, late.text);
  await window.turn("two");
  expect(stored(home).filter((line) => line.includes("user:"))).toEqual([
    "  user: one",
    "  user: too late for the end",
    "  user: two",
  ]);
});
