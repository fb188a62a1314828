import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import { isDamage } from "../store/damage.ts";
import { saveDailyFailure } from "../store/failures.ts";
import { isBackupDue, noteBackup, week } from "../store/notices.ts";
import { makeBackup, rotate } from "./files.ts";

const day = 86_400_000;

/** Makes the week's backup where it is due, and deletes the oldest; what is in the way is told at the next start. */
export function backUpWeekly(db: Database, env: Env, { backups }: Config): void {
  const now = env.now();
  if (backups === 0 || !isBackupDue(db, now)) return;
  noteBackup(db, now - week + day); // first: one that fails, or is killed, is tried again after a day
  try {
    makeBackup(db, env);
    noteBackup(db, now);
    rotate(env, backups);
  } catch (error) {
    if (isDamage(error)) throw error;
    const message = error instanceof Error ? error.message : `${error}`;
    saveDailyFailure(db, { at: now, event: "backup", message });
  }
}
