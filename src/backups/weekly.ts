import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import { saveDailyFailure } from "../store/failures.ts";
import { isBackupDue, noteBackup } from "../store/notices.ts";
import { makeBackup, rotate } from "./files.ts";

/** Makes the week's backup where it is due, and deletes the oldest; what is in the way is told at the next start. */
export function backUpWeekly(db: Database, env: Env, { backups }: Config): void {
  const now = env.now();
  if (backups === 0 || !isBackupDue(db, now)) return;
  noteBackup(db, now); // first, so that one that fails is not tried again at every event
  try {
    makeBackup(db, env);
    rotate(env, backups);
  } catch (error) {
    const message = error instanceof Error ? error.message : `${error}`;
    saveDailyFailure(db, { at: now, event: "backup", message });
  }
}
