import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { Env } from "../env.ts";
import { type IngestOptions, ingest } from "../ingest.ts";
import { masksOf } from "../mask/masks.ts";
import { type Checkpoint, readCheckpoint } from "../store/checkpoints.ts";
import { dataVersion, isUnattended, settleImported } from "../store/imported.ts";
import { readListing } from "../store/merge-sessions.ts";
import { openStore } from "../store/open.ts";
import { projectPathOf, saveProject } from "../store/projects.ts";
import { findSession, type Session, saveSession, touchSession } from "../store/sessions.ts";
import { findTurnId } from "../store/twins.ts";
import { isBeginningOf } from "./copies.ts";
import { count, type TranscriptFile } from "./plan.ts";
import { type SettingsOf, saveProjectAt } from "./project.ts";
import { breathe, sliceTime, type Work } from "./work.ts";

/** A file that was written to more recently may be of a session that runs. Milliseconds. */
const idleTime = 600_000;

/** Milliseconds that hooks have the store to themselves where some are at work: SQLite's waiting is not in turns. */
const turnOfOthers = 40;

/** What an import of transcripts came to. */
export interface Read {
  /** The row ids of the sessions that were read. */
  sessions: Set<number>;
  /** Files that were not read, by reason. */
  leftOut: Map<string, number>;
  /** Lines that were not understood, by reason. */
  skipped: Map<string, number>;
}

/**
 * Reads one transcript into the store, on from its checkpoint where it was read before.
 * @throws StoppedError when the person wants the import to end
 */
export async function importTranscript(
  db: Database,
  env: Env,
  settings: SettingsOf,
  file: TranscriptFile,
  read: Read,
  work: Work,
): Promise<void> {
  const known = findSession(db, file.sessionId);
  const checkpoint = known && readCheckpoint(db, known.id);
  const reason =
    (known && reasonAgainst(db, settings, known)) ??
    (checkpoint && (await isOlderCopy(db, file, checkpoint, work)) ? "a copy of one that is read" : undefined);
  if (reason !== undefined) {
    work.tick(file.size);
    count(read.leftOut, reason);
    return breathe(work);
  }
  const session = recordSession(db, env, file, known);
  const recent = env.now() - file.modifiedAt < idleTime;
  const before = skippedOf(checkpoint?.path === file.path ? checkpoint.skipped : "{}");
  const masks = masksOf(settings(projectPathOf(db, session.projectId)));
  const options = { now: file.startedAt, zoneOffset: env.zoneOffset, finished: !recent, masks };
  let left = file.size;
  await readAll(db, session.id, file.path, options, work, (bytes) => {
    work.tick(Math.min(bytes, left));
    left -= Math.min(bytes, left);
  });
  work.tick(left); // what an earlier import has read
  touchSession(db, session.id);
  if (!recent) settleImported(db, session.id);
  read.sessions.add(session.id);
  const after = skippedOf(readCheckpoint(db, session.id)?.skipped ?? "{}");
  for (const [why, times] of after) count(read.skipped, why, times - (before.get(why) ?? 0));
  return breathe(work);
}

async function readAll(
  db: Database,
  sessionId: number,
  path: string,
  options: IngestOptions,
  work: Work,
  tick: (bytes: number) => void,
): Promise<void> {
  for (;;) {
    const began = performance.now();
    const version = dataVersion(db);
    const isAlone = () => dataVersion(db) === version;
    const outOfTime = () => work.stopped() || performance.now() - began > sliceTime || !isAlone();
    const { complete, bytes } = ingest(db, sessionId, path, { ...options, outOfTime });
    tick(bytes);
    if (!isAlone()) await Bun.sleep(turnOfOthers);
    if (complete) return;
    await breathe(work);
  }
}

/**
 * Whether the file is a copy of one that was read further. Reading it as well would take back what came later. Where the
 * other one is gone, its turns tell.
 */
async function isOlderCopy(db: Database, file: TranscriptFile, read: Checkpoint, work: Work): Promise<boolean> {
  if (read.path === file.path) return false;
  if (existsSync(read.path)) return isBeginningOf(file.path, read.path);
  if (file.size > read.offset) return false;
  using apart = openStore(":memory:");
  const projectId = saveProject(apart, file.project, () => undefined, file.startedAt);
  const { sessionId, startedAt: at } = file;
  const { id } = saveSession(apart, { sessionId, projectId, headless: false, at });
  await readAll(apart, id, file.path, { now: at, finished: true }, work, () => {});
  return readListing(apart, id).every(({ uuid }) => findTurnId(db, uuid) !== undefined);
}

const skippedOf = (json: string): Map<string, number> =>
  new Map(Object.entries(JSON.parse(json) as Record<string, number>));

function recordSession(db: Database, env: Env, file: TranscriptFile, known: Session | undefined): Session {
  const isElsewhere = known?.transcriptPath != null && existsSync(known.transcriptPath);
  return db
    .transaction(() =>
      saveSession(db, {
        sessionId: file.sessionId,
        projectId: known?.projectId ?? saveProjectAt(db, env, file.project),
        transcriptPath: file.temporary || isElsewhere ? undefined : file.path,
        entrypoint: file.entrypoint,
        source: file.cleared ? "clear" : undefined,
        headless: file.headless,
        at: file.startedAt,
      }),
    )
    .immediate();
}

// A session that is known is of the project that the hooks were told, and as attended as they saw it.
function reasonAgainst(db: Database, settings: SettingsOf, session: Session): string | undefined {
  const { capture, headless } = settings(projectPathOf(db, session.projectId));
  if (capture === "off") return "of a project that is switched off";
  return headless === "off" && isUnattended(db, session.id) ? "nobody attended it (headless)" : undefined;
}
