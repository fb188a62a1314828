import type { Database } from "bun:sqlite";
import type { Env } from "../env.ts";
import { catchUp } from "../index/catch-up.ts";
import { searchIndexFile } from "../paths.ts";
import { countStored } from "../store/imported.ts";
import { dropInferred, projectsOf, readLineage, remeasureThreads, saveInferred } from "../store/inferred.ts";
import { expectMuch } from "../store/open.ts";
import { isOfFiles } from "../store/search-index.ts";
import { dropUnpacked } from "./archive.ts";
import { importEarlier, joinTold } from "./earlier.ts";
import { importExport } from "./exported.ts";
import { inferLinks } from "./lineage.ts";
import type { Plan } from "./plan.ts";
import type { SettingsOf } from "./project.ts";
import { importTranscript, type Read } from "./transcripts.ts";
import { breathe, type Work } from "./work.ts";

// What is imported is stored. Where there is no room for an index as well, a search reads without one, and says so.
async function index(db: Database, env: Env, work: Work): Promise<void> {
  try {
    await catchUp(db, searchIndexFile(env), () => breathe(work));
  } catch (error) {
    if (!isOfFiles(error)) throw error;
  }
}

/** What an import came to. */
export interface Outcome {
  /** Files that were read. */
  files: number;
  /** Sessions that were read, and how many of them are new. */
  sessions: number;
  newSessions: number;
  /** Turns that are stored now and were not before. */
  newTurns: number;
  /** Files and rows that were not taken over, by reason. */
  leftOut: Map<string, number>;
  /** Lines that were not understood, by reason. */
  skipped: Map<string, number>;
  /** Lines of exports that could not be read, the first of them by name. */
  badLines: string[];
}

/**
 * Reads all that is planned. Each megabyte is a short transaction of its own, so that sessions which run meanwhile are
 * not held up, and an import that is ended anywhere is gone on with by the next one.
 * @throws StoppedError when the person wants the import to end
 * @throws ImportError when a file cannot be imported; what was read before stays
 */
export async function runImport(
  db: Database,
  env: Env,
  settings: SettingsOf,
  plan: Plan,
  work: Work,
): Promise<Outcome> {
  expectMuch(db);
  const before = countStored(db);
  const read: Read = { sessions: new Set(), leftOut: new Map(plan.leftOut), skipped: new Map() };
  const badLines: string[] = [];
  try {
    for (const file of plan.transcripts) await importTranscript(db, env, settings, file, read, work);
    for (const { path } of plan.exports) {
      const [stream, name] = path === "-" ? [Bun.stdin.stream(), "stdin"] : [Bun.file(path).stream(), path];
      badLines.push(...(await importExport(db, env, settings, stream, name, read, work)).badLines);
    }
    for (const { path, size } of plan.databases) {
      await importEarlier(db, env, settings, path, read, work);
      work.tick(size);
    }
  } finally {
    finish(db, env, read);
  }
  dropUnpacked(plan.unpacked);
  await index(db, env, work);
  const after = countStored(db);
  return {
    files: plan.transcripts.length + plan.exports.length + plan.databases.length,
    sessions: read.sessions.size,
    newSessions: after.sessions - before.sessions,
    newTurns: after.turns - before.turns,
    leftOut: read.leftOut,
    skipped: read.skipped,
    badLines,
  };
}

// An import that ends early leaves a store that is right as far as it goes.
function finish(db: Database, env: Env, { sessions }: Read): void {
  for (const id of sessions) db.transaction(() => joinTold(db, id)).immediate();
  for (const projectId of projectsOf(db, [...sessions])) linkProject(db, env, projectId);
}

/** Links one project's sessions by what their files show, anew as a whole, so that the order of imports does not count. */
function linkProject(db: Database, env: Env, projectId: number): void {
  db.transaction(() => {
    const known = readLineage(db, projectId).map((row) => ({
      ...row,
      spoke: row.spoke === 1,
      cleared: row.cleared === 1,
      watched: row.watched === 1,
    }));
    const links = inferLinks(known);
    for (const { id, predecessor, reason, watched } of known) {
      const isKept = links.get(id)?.predecessor === predecessor;
      if (reason === "inferred" && !watched && !isKept) dropInferred(db, id);
    }
    for (const [id, link] of links) {
      const own = known.find((session) => session.id === id);
      if (own?.predecessor !== link.predecessor || own.reason !== link.reason) saveInferred(db, id, link, env.now());
    }
    remeasureThreads(db, projectId);
  }).immediate();
}
