import { mkdirSync, statSync } from "node:fs";
import type { Env } from "../env.ts";
import { forgetAgain } from "../forget/forget.ts";
import { databaseFile, dataFolder } from "../paths.ts";
import { isDamage } from "../store/damage.ts";
import { loadTombstones } from "../store/forgotten.ts";
import { openStore, sizeOfStore } from "../store/open.ts";
import { foldFile, openAsIs, useWal } from "../store/upkeep.ts";
import { checkRoom, copyPrivately, placeStore, withDraft } from "./files.ts";
import { takeLock } from "./lock.ts";
import { readAgain } from "./reread.ts";

/**
 * Puts a copy of a backup in the present store's place, brings it up to date, and reads again what transcripts hold.
 * @returns where the present one is kept, if there was one, and how many turns were read again
 * @throws where somebody else repairs or restores, where there is no room, or a newer version made the backup; then nothing
 * was changed
 */
export async function restoreBackup(env: Env, file: string): Promise<{ before: string | undefined; reread: number }> {
  sizeOfStore(databaseFile(env)); // nothing is written beside one that is not the person's own
  mkdirSync(dataFolder(env), { recursive: true, mode: 0o700 });
  using lock = takeLock(env);
  if (!lock) throw new Error("the database is being repaired or restored: try again in a minute");
  checkRoom(dataFolder(env), statSync(file).size);
  return await withDraft(env, async (draft) => {
    prepareCopy(env, file, draft);
    foldPresent(env);
    const before = placeStore(env, draft, "before");
    using db = openStore(databaseFile(env));
    return { before, reread: await readAgain(db, env) };
  });
}

function prepareCopy(env: Env, file: string, draft: string): void {
  using from = openAsIs(file);
  copyPrivately(from, draft);
  using db = openStore(draft); // brings an older schema up to date
  loadTombstones(db, databaseFile(env));
  forgetAgain(env, db);
  useWal(db);
}

// So that what is kept is one file. One that is damaged stays as it is.
function foldPresent(env: Env): void {
  if (!sizeOfStore(databaseFile(env))) return;
  try {
    foldFile(databaseFile(env));
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}
