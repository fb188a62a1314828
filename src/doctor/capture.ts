import type { Database } from "bun:sqlite";
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Env } from "../env.ts";
import { clientProjects } from "../paths.ts";
import { projectPath } from "../project.ts";
import { countSkipped, passedOver } from "../store/checkpoints.ts";
import { readEmitted, readProgress } from "../store/health.ts";
import { findProject } from "../store/projects.ts";
import { findLastRestore } from "../store/restores.ts";
import { getSession } from "../store/sessions.ts";
import { readTotals } from "../store/totals.ts";
import { broken, type Finding, note, ok } from "./finding.ts";

/** How long a turn may go on before what it wrote counts as missed. */
const patience = 10 * 60_000;
const mostRead = 64e6;

/** This project: its newest transcript against what was stored, its last restore against the transcript, what was left out. */
export function checkProject(env: Env, db: Database): Finding[] {
  const folder = projectPath(env.vars.CLAUDE_PROJECT_DIR || env.cwd);
  const projectId = findProject(db, folder);
  const newest = newestTranscript(env, db, folder, projectId);
  const capture = checkCapture(env, db, projectId, newest);
  if (projectId === undefined) return [capture];
  const { headless } = readTotals(db, projectId);
  const skipped = [...countSkipped(db, projectId)]
    .filter(([reason]) => reason !== passedOver)
    .map(([reason, count]) => `${count} × ${reason}`);
  return [
    capture,
    checkRestore(db, projectId),
    ...(skipped.length > 0
      ? [
          note(
            `lines skipped: ${skipped.join(", ")}`,
            "the client wrote what this version does not read, or half a line",
            "install a newer release of throughline where there is one",
          ),
        ]
      : []),
    ...(headless > 0
      ? [
          note(
            `${headless} sessions that nobody attended were left out`,
            "claude -p and programs",
            'set "headless": "on" to keep them',
          ),
        ]
      : []),
  ];
}

interface Transcript {
  path: string;
  at: number;
  size: number;
}

function newestTranscript(
  env: Env,
  db: Database,
  folder: string,
  projectId: number | undefined,
): Transcript | undefined {
  const known = projectId === undefined ? [] : readProgress(db, projectId).flatMap(({ path }) => path ?? []);
  // The client names a project's folder by its path, every other character than letters and digits a dash.
  const named = join(clientProjects(env), folder.replace(/[^a-zA-Z0-9]/g, "-"));
  const folders = new Set([named, ...known.map((path) => dirname(path))]);
  return [...folders]
    .flatMap(transcriptsIn)
    .sort((a, b) => b.at - a.at)
    .at(0);
}

function transcriptsIn(folder: string): Transcript[] {
  try {
    const names = readdirSync(folder).filter((name) => /^[0-9a-f-]{36}\.jsonl$/.test(name));
    return names.flatMap((name) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      return stats?.isFile() ? [{ path: join(folder, name), at: stats.mtimeMs, size: stats.size }] : [];
    });
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

function checkCapture(env: Env, db: Database, projectId: number | undefined, newest: Transcript | undefined): Finding {
  if (!newest) return ok("this folder has no transcript yet");
  const session =
    projectId === undefined
      ? undefined
      : readProgress(db, projectId).find(({ sessionId }) => sessionId === basename(newest.path, ".jsonl"));
  if (session?.headless === 1) return ok("the newest transcript is of a session that nobody attended");
  const unread = answersFrom(newest, session?.offset ?? 0);
  if (unread === 0) return ok(`the newest transcript is stored: ${newest.path}`);
  const what = `${unread} answers in ${newest.path} are not stored`;
  if (env.now() - newest.at < patience)
    return note(what, "they are stored when their turn ends", "throughline doctor again, when Claude has answered");
  return broken(
    what,
    "the hooks did not run, or failed",
    "restart that window; the next session of this project reads them",
  );
}

function answersFrom({ path, size }: Transcript, offset: number): number {
  const rest = Buffer.alloc(Math.min(Math.max(0, size - offset), mostRead));
  const file = openSync(path, "r");
  try {
    readSync(file, rest, 0, rest.length, offset);
  } finally {
    closeSync(file);
  }
  const lines = rest.toString().split("\n");
  return lines.filter((line) => line.includes('"type":"assistant"') && !line.includes('"isSidechain":true')).length;
}

function checkRestore(db: Database, projectId: number): Finding {
  const restore = findLastRestore(db, projectId);
  if (!restore) return ok("nothing was restored in this project yet");
  const { transcriptPath, sessionId } = getSession(db, restore.sessionId);
  const what = `the last restore (session ${sessionId}, ${restore.parts} parts)`;
  const transcript = readIfThere(transcriptPath);
  if (transcript === undefined) return ok(`${what} has no transcript yet, or no longer`);
  const missing = readEmitted(db, restore.sessionId).filter(
    ({ beginning }) => !transcript.includes(JSON.stringify(beginning).slice(1, -1)),
  );
  if (missing.length === 0) return ok(`${what} reached the transcript`);
  const parts = missing.map(({ part }) => part).join(", ");
  return broken(
    `${what}: part ${parts} is not in the transcript`,
    "Claude was not told all of it",
    "throughline preview; /clear tells it again",
  );
}

// A pipe would be waited for, a device never ends.
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

function readIfThere(path: string | null): string | undefined {
  if (path === null || !isFile(path)) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
