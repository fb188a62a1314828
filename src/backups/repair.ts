import type { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { basename } from "node:path";
import type { Env } from "../env.ts";
import { planImport } from "../imports/files.ts";
import { settingsOf } from "../imports/project.ts";
import { runImport } from "../imports/run.ts";
import { databaseFile } from "../paths.ts";
import { forgetCheckpoints } from "../store/checkpoints.ts";
import { saveFailure } from "../store/failures.ts";
import { readHealth } from "../store/health.ts";
import { countStored } from "../store/imported.ts";
import { openStore, sizeOfStore } from "../store/open.ts";
import { bringBack, dropOrphans, fillFrom, salvage, setAside } from "../store/salvage.ts";
import { foldWal, openAsIs } from "../store/upkeep.ts";
import { listBackups, placeStore } from "./files.ts";
import { dropLock, takeLock } from "./lock.ts";

/** What a repair came to. */
export interface Repaired {
  /** Turns that could still be read, or that the newest backup had. */
  saved: number;
  /** Turns that were read from transcripts again. */
  reread: number;
  /** Where the damaged file is now. */
  damaged: string | undefined;
}

/** Why the store cannot be trusted; `undefined` where it is whole, or not there. */
export function findDamage(env: Env): string | undefined {
  const size = sizeOfStore(databaseFile(env));
  if (size === undefined) return undefined;
  if (size === 0) return "the file is empty";
  try {
    using db = openAsIs(databaseFile(env));
    const { integrity } = readHealth(db);
    return integrity.join() === "ok" ? undefined : integrity.join("; ");
  } catch (error) {
    if (error instanceof Error && error.name === "SQLiteError") return error.message;
    throw error;
  }
}

/**
 * Makes a new store of the readable rows of a damaged one, of the newest backup, and of the transcripts that are there.
 * The damaged file is kept. Of several at once one does it.
 * @returns `undefined` where there is no damage, or somebody else is at it
 */
export async function repair(env: Env): Promise<Repaired | undefined> {
  if (sizeOfStore(databaseFile(env)) === undefined || !takeLock(env)) return undefined;
  try {
    return findDamage(env) === undefined ? undefined : await rebuild(env);
  } finally {
    dropLock(env);
  }
}

async function rebuild(env: Env): Promise<Repaired> {
  const draft = `${databaseFile(env)}.${crypto.randomUUID()}.new`;
  try {
    const { saved, reread } = await collect(env, draft);
    const damaged = placeStore(env, draft, "damaged");
    using db = openStore(databaseFile(env));
    const kept = damaged === undefined ? "" : `; the damaged file is kept as ${basename(damaged)}`;
    const message = `the database was damaged: ${saved} turns were saved, ${reread} read again from transcripts${kept}`;
    saveFailure(db, { at: env.now(), event: "repair", message });
    return { saved, reread, damaged };
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(draft + end, { force: true });
  }
}

async function collect(env: Env, draft: string): Promise<{ saved: number; reread: number }> {
  using db = openStore(draft);
  salvageFile(databaseFile(env), db);
  const backup = listBackups(env).find(({ path }) => isWhole(path));
  if (backup) fillFrom(db, backup.path);
  dropOrphans(db);
  const saved = countStored(db).turns;
  forgetCheckpoints(db);
  setAside(db);
  const reread = await readAgain(db, env);
  bringBack(db);
  foldWal(db);
  return { saved, reread };
}

function salvageFile(file: string, to: Database): void {
  try {
    using from = openAsIs(file);
    salvage(from, to);
  } catch (error) {
    // A file that is no database has nothing to save.
    if (!(error instanceof Error && error.name === "SQLiteError")) throw error;
  }
}

function isWhole(file: string): boolean {
  try {
    using db = openAsIs(file);
    return readHealth(db).integrity.join() === "ok";
  } catch (error) {
    if (error instanceof Error && error.name === "SQLiteError") return false;
    throw error;
  }
}

/** Reads all transcripts of the client again, as far as they are not stored; returns how many turns that gave. */
export async function readAgain(db: Database, env: Env): Promise<number> {
  const settings = settingsOf(env);
  const plan = await planImport(env, settings, []);
  const work = { tick: () => {}, stopped: () => false };
  return (await runImport(db, env, settings, { ...plan, databases: [] }, work)).newTurns;
}
