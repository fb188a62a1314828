import { Database } from "bun:sqlite";
import {
  closeSync,
  cpSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "./measure.ts";

/** A home and a project of their own, in which the program's hooks are called as the client calls them. */
export interface Stage {
  folder: string;
  project: string;
  transcript: (session: string) => string;
  /** The call of a hook for an event of a session. */
  hook: (args: readonly string[], session: string, event: Record<string, string>) => Call;
  /** The call of a program that is no hook, under the same circumstances. */
  call: (command: string[]) => Call;
  /** Where the program keeps its store. */
  data: string;
  /** How many turns are stored. */
  countTurns: () => number;
  /** Waits until the worker that a hook started has left: without a login it does so at once. */
  awaitWorker: () => void;
  /** How many bytes the store takes on the disk, its WAL included. */
  storedBytes: () => number;
  [Symbol.dispose](): void;
}

/** Sets the stage in a temporary folder; disposing of it removes the folder. */
export function setStage(binary: string): Stage {
  const folder = mkdtempSync(join(tmpdir(), "throughline-bench-"));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  const data = join(home, ".throughline");
  const transcripts = join(home, ".claude/projects/project");
  for (const made of [project, transcripts]) mkdirSync(made, { recursive: true });
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? "",
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: `${process.pid}`,
    CLAUDE_CODE_ENTRYPOINT: "cli",
    CLAUDE_CODE_SESSION_ATTENDED: "1",
  };
  const transcript = (session: string) => join(transcripts, `${session}.jsonl`);
  const call = (command: string[]): Call => ({ command, cwd: project, env, stdin: "" });
  return {
    folder,
    project,
    transcript,
    call,
    hook: (args, session, event) => ({
      ...call([binary, "hook", ...args]),
      stdin: JSON.stringify({ session_id: session, transcript_path: transcript(session), cwd: project, ...event }),
    }),
    data,
    countTurns: () => {
      using db = new Database(join(data, "memory.db"), { readonly: true });
      return db.query<{ n: number }, []>("select count(*) as n from turns").get()?.n ?? 0;
    },
    awaitWorker: () => {
      for (let n = 0; n < 500 && isAtWork(join(data, "memory.db")); n++) Bun.sleepSync(10);
      Bun.sleepSync(50);
    },
    storedBytes: () =>
      readdirSync(data)
        .filter((name) => /^memory\.db(-wal)?$/.test(name))
        .reduce((sum, name) => sum + statSync(join(data, name)).size, 0),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Remembers what is stored and how long a transcript is; the function returned brings both back. */
export function remember(stage: Stage, transcript: string): () => void {
  const { data } = stage;
  const kept = join(stage.folder, "kept");
  const { size } = statSync(transcript);
  stage.awaitWorker();
  rmSync(kept, { recursive: true, force: true });
  rmSync(join(data, "backups"), { recursive: true, force: true });
  cpSync(data, kept, { recursive: true });
  return () => {
    stage.awaitWorker();
    truncateSync(transcript, size);
    rmSync(data, { recursive: true, force: true });
    cpSync(kept, data, { recursive: true });
    // What was copied must not be left for the measured process to write to the disk.
    for (const file of [transcript, ...readdirSync(data).map((name) => join(data, name))]) flush(file);
  };
}

/** Writes a file's content to the disk. */
export function flush(file: string): void {
  const fd = openSync(file, "r+");
  fsyncSync(fd);
  closeSync(fd);
}

function isAtWork(file: string): boolean {
  using db = new Database(file, { readonly: true });
  db.run("pragma busy_timeout = 5000");
  return db.query("select 1 from worker where holder is not null and pid is not ?").get(process.pid) !== null;
}
