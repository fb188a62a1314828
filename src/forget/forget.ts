import type { Database } from "bun:sqlite";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listBackups, makeBackup } from "../backups/files.ts";
import type { Env } from "../env.ts";
import { dataFolder, searchIndexFile } from "../paths.ts";
import { type Blank, eraseForgotten, eraseProjects, eraseTurns, overwriteDeleted, reclaim } from "../store/erase.ts";
import { appendTombstones, tombstonesOf } from "../store/forgotten.ts";
import { dropIndex } from "../store/search-index.ts";
import type { Reading } from "../transcript/reading.ts";
import { withoutTurns } from "../transcript/without-turns.ts";

/** Copies of the store that hold what is forgotten: our backups, and what a repair or a restore kept beside. */
export function listCopies(env: Env): string[] {
  const kept = existsSync(dataFolder(env))
    ? readdirSync(dataFolder(env))
        .filter((name) => /^memory\.db\.(before|damaged)-/.test(name))
        .sort()
        .map((name) => join(dataFolder(env), name))
    : [];
  return [...listBackups(env).map(({ path }) => path), ...kept];
}

/** What is forgotten. */
export interface Wanted {
  turnIds: readonly number[];
  /** Projects that go as a whole: their names, too, where no turn of them is left. */
  projectIds: readonly number[];
}

const blank: Blank = (reading, uuids) => JSON.stringify(withoutTurns(JSON.parse(reading) as Reading, uuids));

/**
 * Forgets turns for good: in every table, in what readers carry, in the free pages, the WAL, the search index and all copies of
 * the store that lie with it; a new backup is made where there was one. What keeps them away is written first, so that whoever is
 * killed in between can be asked again, and nothing comes back meanwhile.
 * @returns false where another process still reads the old pages: then asking again later helps
 */
export function forgetTurns(env: Env, db: Database, { turnIds, projectIds }: Wanted): boolean {
  const copies = listCopies(env);
  const tombstones = turnIds.flatMap((id) => tombstonesOf(db, id));
  appendTombstones(dataFolder(env), tombstones);
  overwriteDeleted(db);
  db.transaction(() => {
    eraseTurns(db, turnIds, tombstones, blank);
    eraseProjects(db, projectIds);
  }).immediate();
  dropIndex(searchIndexFile(env));
  const isReclaimed = reclaim(db);
  const hadBackup = listBackups(env).length > 0;
  for (const path of copies) rmSync(path, { force: true });
  if (hadBackup) makeBackup(db, env);
  return isReclaimed;
}

/** Takes out of a store that was put in the place of another what was forgotten since. */
export function forgetAgain(env: Env, db: Database): void {
  overwriteDeleted(db);
  if (eraseForgotten(db, blank) === 0) return;
  dropIndex(searchIndexFile(env));
  reclaim(db);
}
