import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLive } from "../../src/live/rows.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { ingestText, makeSession, memoryStore } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

// As clients 2.1.332 and 2.1.197 write them, and what lies beside them.
const note = (pid: number, change: object = {}) => ({
  pid,
  sessionId: `session-${pid}`,
  cwd: "/home/mina/links",
  startedAt: Date.UTC(2026, 10, 30, 13, 0, 0),
  version: "2.1.332",
  kind: "interactive",
  entrypoint: "cli",
  status: "idle",
  updatedAt: Date.UTC(2026, 10, 30, 13, 59, 0),
  statusUpdatedAt: Date.UTC(2026, 10, 30, 13, 59, 0),
  ...change,
});

function write(home: TempHome, notes: Record<string, unknown>): void {
  const folder = join(home.folder, ".claude/sessions");
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(notes))
    writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
}

test("each running client has a row: who waits first, then who works, then who is idle", () => {
  using home = tempHome();
  using db = memoryStore();
  write(home, {
    "1.json": note(1),
    "2.json": note(2, { status: "busy" }),
    "3.json": note(3, { status: "waiting", waitingFor: "permission prompt", cwd: "/home/mina/認証" }),
    "4.json": note(4, { status: "idle", sessionId: "gone" }),
    "5.json": note(5, { status: undefined, statusUpdatedAt: undefined }),
    "6.json": "{",
    "7.json": { peerToken: "x" },
    "5.key": "secret",
    "8.json": note(8, { status: "a state of tomorrow" }),
  });
  const env = home.env({ exists: (pid) => pid !== 4 });
  const rows = readLive(db, env);
  expect(rows.map(({ pid, state, waiting_for }) => [pid, state, waiting_for])).toEqual([
    [3, "waiting", "permission prompt"],
    [2, "working", null],
    [1, "idle", null],
    [8, null, null],
    [5, null, null],
  ]);
  expect(rows[0]).toMatchObject({ project: "認証", age: 60_000, turns: 0, context_tokens: null, clear_keeps: null });
});

test("what the store says of it", () => {
  using home = tempHome();
  using db = memoryStore();
  write(home, { "1.json": note(1) });
  const builder = new TranscriptBuilder("session-1");
  for (let n = 1; n <= 15; n += 1) {
    builder.prompt(`prompt ${n}`);
    builder.say(`answer ${n}`);
  }
  ingestText(db, makeSession(db, "session-1"), home.folder, builder.text);
  const [row] = readLive(db, home.env({ exists: () => true }));
  expect(row).toMatchObject({ turns: 15, context_tokens: 1_250, context_window: 1_000_000 });
  expect(row?.growth).toEqual(Array(12).fill(1_250));
  expect(row?.clear_keeps).toBeWithin(200, 800);
});

test("a window that is larger than the model's own is not guessed, nor one of an unknown model", () => {
  using home = tempHome();
  using db = memoryStore();
  write(home, { "1.json": note(1) });
  const builder = new TranscriptBuilder("session-1");
  builder.prompt("p");
  builder.say("a");
  ingestText(db, makeSession(db, "session-1"), home.folder, builder.text);
  const windowOf = (model: string, tokens: number) => {
    db.query("update turns set model = ?, context_tokens = ?").run(model, tokens);
    return readLive(db, home.env({ exists: () => true }))[0]?.context_window;
  };
  expect(windowOf("claude-sonnet-4-5", 199_999)).toBe(200_000);
  expect(windowOf("claude-sonnet-4-5", 200_001)).toBeNull();
  expect(windowOf("claude-haiku-5-5", 200_001)).toBe(1_000_000);
  expect(windowOf("glm-9", 5)).toBeNull();
});

test("nothing stored, no client's folder", () => {
  using home = tempHome();
  expect(readLive(undefined, home.env())).toEqual([]);
  write(home, { "1.json": note(1) });
  expect(readLive(undefined, home.env({ exists: () => true }))).toHaveLength(1);
});
