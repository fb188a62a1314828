import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TempHome } from "./home.ts";
import { binary, varsOf } from "./ran.ts";
import { TranscriptBuilder } from "./transcript.ts";

const turns = 60;
const sessionOf = (n: number): string => `${n}1111111-0000-4000-8000-00000000000${n}`;

/** The data folder; made, where that is asked for. */
export function dataOf(home: TempHome, make = false): string {
  const folder = join(home.folder, ".throughline");
  if (make) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
export const fileOf = (home: TempHome): string => join(dataOf(home), "memory.db");
export const transcriptOf = (home: TempHome, n: number): string =>
  join(home.folder, ".claude/projects/p", `${sessionOf(n)}.jsonl`);

/** Three sessions with enough in them for some hundred pages; stored by the hooks, and folded into the file. */
export function fill(home: TempHome, backups = 0): void {
  // No other process is in the store while a test harms it.
  writeFileSync(join(dataOf(home, true), "config.json"), JSON.stringify({ backups, summaries: "off" }));
  mkdirSync(join(home.folder, ".claude/projects/p"), { recursive: true });
  for (const n of [1, 2, 3]) {
    const t = new TranscriptBuilder(sessionOf(n), Date.UTC(2026, 10, n, 12), 1_000, `${n}e`);
    for (let turn = 0; turn < turns; turn += 1) {
      t.prompt(`prompt ${turn} of ${n} ${"words ".repeat(40)}`);
      t.tool(
        "Bash",
        { command: `echo ${turn}` },
        `output ${turn} ${Array.from({ length: 60 }, (_, k) => k * turn * n).join(" ")}`,
      );
      t.say(`answer ${turn} of ${n} ${"and more ".repeat(40)}`);
    }
    writeFileSync(transcriptOf(home, n), t.text.replaceAll("/home/dev/project", home.project));
    for (const hook of ["stop", "session-end"]) runHook(home, hook, n);
  }
}

export function runHook(home: TempHome, hook: string, n: number): { code: number; stderr: string } {
  const event = {
    session_id: sessionOf(n),
    transcript_path: transcriptOf(home, n),
    cwd: home.project,
    hook_event_name: hook === "stop" ? "Stop" : "SessionEnd",
  };
  const { exitCode, stderr } = Bun.spawnSync([binary, "hook", hook], {
    cwd: home.project,
    env: { ...varsOf(home), CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_PROJECT_DIR: home.project },
    stdin: Buffer.from(JSON.stringify(event)),
  });
  return { code: exitCode, stderr: stderr.toString() };
}

/** All that was said, session by session, and the lines. */
export function said(home: TempHome): string[] {
  using db = new Database(fileOf(home), { readonly: true });
  db.run("pragma busy_timeout = 5000");
  const sql = `select sessions.uuid || ' ' || role || ' ' || text as said from messages
    join session_turns using (turn_id) join sessions on sessions.id = session_id
    union all select 'line of ' || turns.uuid || ' ' || text from summaries join turns on turns.id = turn_id order by 1`;
  return db
    .query<{ said: string }, []>(sql)
    .all()
    .map((row) => row.said);
}

/** Gives some turns a line. */
export function writeLines(home: TempHome): void {
  using db = new Database(fileOf(home));
  db.run("insert into summaries select id, 'line ' || id, 'a model', started_at from turns where id % 3 = 0");
  db.run("pragma wal_checkpoint(truncate)");
}

export async function settle(home: TempHome): Promise<void> {
  for (let n = 0; n < 200 && readdirSync(dataOf(home)).some((name) => /\.(?:new|draft|ready)$/.test(name)); n++)
    await Bun.sleep(25);
}

/** Has one more prompt said in a session's transcript. */
export function sayMore(home: TempHome, n: number): void {
  const timestamp = new Date(Date.UTC(2026, 10, n, 20)).toISOString();
  const uuid = `00000000-0000-4000-8000-0000000000${n}0`;
  const message = { role: "user", content: `said late in ${n}` };
  const entry = {
    type: "user",
    uuid,
    parentUuid: null,
    sessionId: sessionOf(n),
    cwd: home.project,
    timestamp,
    message,
  };
  writeFileSync(transcriptOf(home, n), `${JSON.stringify(entry)}\n`, { flag: "a" });
}
