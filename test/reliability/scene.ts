import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allDetails } from "../support/details.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

/** A home with a transcript in it, for the hooks and commands of the built program. */
export interface Scene extends Disposable {
  home: TempHome;
  file: string;
  /** Starts a hook or a command, by way of another program where one is given. */
  start: (args: readonly string[], before?: readonly string[]) => Bun.Subprocess<Blob, "pipe", "pipe">;
  /** Runs it to its end. */
  run: (
    args: readonly string[],
    before?: readonly string[],
  ) => Promise<{ code: number | null; signal: string | number | null; stderr: string }>;
  /** All that is stored of the conversation, in one text; throws where the store is damaged or half of something is there. */
  stored: () => string;
}

export const session = "11111111-0000-4000-8000-000000000001";

/** A conversation of so many turns, the same each time. */
export function conversation(turns: number, prefix = "e", id = session): string {
  const t = new TranscriptBuilder(id, Date.UTC(2026, 10, 30, 12), 1_000, prefix);
  for (let n = 0; n < turns; n += 1) {
    t.prompt(`prompt ${n}: 設定 ${"words ".repeat(20)}`);
    t.tool("Bash", { command: `echo ${n}` }, Array.from({ length: 90 }, (_, k) => k * n).join(" "));
    t.say(`answer ${n} ${"and more ".repeat(30)}`);
  }
  return t.text;
}

export function setScene(turns: number): Scene {
  const home = tempHome();
  const folder = join(home.folder, ".claude/projects/p");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${session}.jsonl`);
  writeFileSync(file, conversation(turns).replaceAll("/home/dev/project", home.project));
  // Backups start a process of their own, which is not what is looked at.
  mkdirSync(join(home.folder, ".throughline"), { mode: 0o700 });
  writeFileSync(join(home.folder, ".throughline/config.json"), '{"backups": 0, "summaries": "off"}');
  const start: Scene["start"] = (args, before = []) =>
    Bun.spawn([...before, binary, ...args], {
      cwd: home.project,
      env: {
        ...varsOf(home),
        CLAUDE_CODE_SESSION_ATTENDED: "1",
        CLAUDE_PROJECT_DIR: home.project,
        CLAUDE_PID: `${process.pid}`,
      },
      stdin: new Blob([JSON.stringify(eventOf(args, home, file))]),
      stdout: "pipe",
      stderr: "pipe",
    });
  const run: Scene["run"] = async (args, before) => {
    const child = start(args, before);
    const [stderr, code] = await Promise.all([child.stderr.text(), child.exited, child.stdout.text()]);
    return { code, signal: child.signalCode, stderr };
  };
  return { home, file, start, run, stored: () => storedIn(home), [Symbol.dispose]: () => home[Symbol.dispose]() };
}

const eventNames: Readonly<Record<string, string>> = {
  stop: "Stop",
  "session-end": "SessionEnd",
  "session-start": "SessionStart",
};

const eventOf = (args: readonly string[], home: TempHome, file: string) => ({
  session_id: session,
  transcript_path: file,
  cwd: home.project,
  hook_event_name: eventNames[args[1] ?? ""],
  source: "startup",
  reason: "other",
});

function storedIn({ folder }: TempHome): string {
  using db = new Database(join(folder, ".throughline/memory.db"), { readonly: true });
  db.run("pragma busy_timeout = 5000");
  const check = db.query<{ integrity_check: string }, []>("pragma integrity_check").all();
  const orphans = db.query("pragma foreign_key_check").all();
  if (check[0]?.integrity_check !== "ok" || orphans.length > 0)
    throw new Error(`damaged: ${JSON.stringify([check, orphans])}`);
  const messages = db
    .query<{ said: string }, []>(
      `select position || ' ' || turns.uuid || ' ' || role || ' ' || text as said from messages
       join turns on turns.id = turn_id join session_turns using (turn_id) order by session_id, position, messages.id`,
    )
    .all();
  const texts = allDetails(db).map(({ sourceId, input, output }) => `${sourceId} ${input} ${output}`);
  const offset = db.query<{ offset: number }, []>("select offset from checkpoints order by session_id").all();
  return [...messages.map(({ said }) => said), ...texts, JSON.stringify(offset)].join("\n");
}
