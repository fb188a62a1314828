import type { Database } from "bun:sqlite";

/** Whether the person was told something that is told once. */
export const wasTold = (db: Database, name: string): boolean =>
  db.query("select 1 from notices where name = ?").get(name) !== null;

/** When that was, UTC milliseconds. */
export const timeOfNotice = (db: Database, name: string): number | undefined =>
  db.query<{ at: number }, [string]>("select told_at as at from notices where name = ?").get(name)?.at;

export function markTold(db: Database, name: string, at: number): void {
  db.query("insert or replace into notices (name, told_at) values (?, ?)").run(name, at);
}

/** The name of what is told before the first run ever. */
export const beginning = "lines begin";

/** Whether the person may have to be told something of lines. One read. */
export const isSomethingUntold = (db: Database): boolean =>
  db
    .query(
      `select 1 from worker where (pause_reason is not null and pause_told_at is null)
         or not exists (select 1 from notices where name = ?)`,
    )
    .get(beginning) !== null;

/** Whether any session start was ever seen: only there can something be told. */
export const hasSeenStart = (db: Database): boolean => db.query("select 1 from restores limit 1").get() !== null;

const lastBackup = "backup";
/** How long a backup is new enough, in milliseconds. */
export const week = 7 * 86_400_000;

/** Whether the newest backup is older than a week, or none was made and there is something to back up. */
export const isBackupDue = (db: Database, now: number): boolean =>
  db
    .query(
      "select 1 where not exists (select 1 from notices where name = ? and told_at > ?) and exists (select 1 from turns)",
    )
    .get(lastBackup, now - week) !== null;

export function noteBackup(db: Database, at: number): void {
  db.query("insert or replace into notices (name, told_at) values (?, ?)").run(lastBackup, at);
}
