import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Env } from "../env.ts";
import { forgetAgain } from "../forget/forget.ts";
import { databaseFile } from "../paths.ts";
import { forgetCheckpoints } from "../store/checkpoints.ts";
import { isDamage } from "../store/damage.ts";
import { saveFailure } from "../store/failures.ts";
import { readHealth } from "../store/health.ts";
import { countStored } from "../store/imported.ts";
import { markUnreadable, unreadableTurns } from "../store/merge-packs.ts";
import { openStore, rollBack, sizeOfStore } from "../store/open.ts";
import { bringBack, dropOrphans, fillFrom, salvage, setAside } from "../store/salvage.ts";
import { countOrphans, foldWal, lackingObjects, openAsIs, readWhatIsThere } from "../store/upkeep.ts";
import { listBackups, placeStore, withDraft } from "./files.ts";
import { takeLock } from "./lock.ts";
import { readAgain } from "./reread.ts";

/** What a repair came to. */
export interface Repaired {
  /** Turns that could still be read, or that the newest backup had. */
  saved: number;
  /** Turns that were read from transcripts again. */
  reread: number;
  /** Where the damaged file is now. */
  damaged: string | undefined;
}

/**
 * Why the store cannot be trusted; `undefined` where it is whole, or not there. Reads all of it.
 * @throws when it cannot be looked at, as when somebody has it locked: that says nothing of the file
 */
export function findDamage(env: Env): string | undefined {
  const file = databaseFile(env);
  const size = sizeOfStore(file);
  if (size === undefined) return undefined;
  if (size === 0) return "the file is empty";
  try {
    if (existsSync(`${file}-journal`)) rollBack(file);
    using db = openAsIs(file);
    return whatIsWrong(db);
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  }
}

function whatIsWrong(db: Database): string | undefined {
  const { integrity } = readHealth(db);
  if (integrity.join() !== "ok") return integrity.join("; ").replace(/\s+/g, " ");
  const lacking = lackingObjects(db);
  if (lacking.length > 0) return `it has no ${lacking.join(", ")}`;
  const orphans = countOrphans(db);
  if (orphans > 0) return `${orphans} rows belong to rows that are gone`;
  const unreadable = unreadableTurns(db).length;
  return unreadable > 0 ? `of ${unreadable} turns the tool traffic cannot be unpacked` : undefined;
}

/**
 * Makes a new store of the readable rows of a damaged one, of the newest backup, and of the transcripts that are there.
 * The damaged file is kept. Of several at once one does it.
 * @returns `undefined` where there is no damage, or somebody else is at it
 */
export async function repair(env: Env): Promise<Repaired | undefined> {
  if (sizeOfStore(databaseFile(env)) === undefined) return undefined;
  using lock = takeLock(env);
  if (!lock || findDamage(env) === undefined) return undefined;
  return await withDraft(env, async (draft) => {
    const { saved, reread } = await collect(env, draft);
    const damaged = placeStore(env, draft, "damaged");
    using db = openStore(databaseFile(env));
    const kept = damaged === undefined ? "" : `; the damaged file is kept as ${basename(damaged)}`;
    const message = `the database was damaged: ${saved} turns were saved, ${reread} read again from transcripts${kept}`;
    saveFailure(db, { at: env.now(), event: "repair", message });
    return { saved, reread, damaged };
  });
}

async function collect(env: Env, draft: string): Promise<{ saved: number; reread: number }> {
  using db = openStore(draft);
  salvageFile(databaseFile(env), db);
  const backup = listBackups(env).find(({ path }) => isWhole(path));
  if (backup) fillFrom(db, backup.path);
  dropOrphans(db);
  forgetAgain(env, db);
  const saved = countStored(db).turns;
  forgetCheckpoints(db);
  setAside(db);
  const reread = await readAgain(db, env);
  bringBack(db);
  markUnreadable(db);
  foldWal(db);
  return { saved, reread };
}

function salvageFile(file: string, to: Database): void {
  try {
    using from = openAsIs(file);
    readWhatIsThere(from);
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
