import type { Database } from "bun:sqlite";

/** What an import adds to: how many sessions, and how many turns they list. */
export const countStored = (db: Database): { sessions: number; turns: number } =>
  db
    .query<{ sessions: number; turns: number }, []>(
      "select (select count(*) from sessions) as sessions, (select count(*) from turns) as turns",
    )
    .get() as { sessions: number; turns: number };

/** Whether turns of the earlier program are here that no transcript has told since. */
export const holdsEarlier = (db: Database): boolean =>
  db.query("select 1 from turns where uuid glob 'earlier:*' limit 1").get() !== null;

/** Whether the session is known as one that nobody attended. */
export const isUnattended = (db: Database, id: number): boolean =>
  db.query<{ headless: number }, [number]>("select headless from sessions where id = ?").get(id)?.headless === 1;

/**
 * Records that a session which was read from its file alone is over since its last message, so that it can be
 * continued. One that hooks know is theirs to end.
 */
export function settleImported(db: Database, id: number): void {
  db.query(
    `update sessions set ended_at = active_at, end_reason = 'imported'
     where id = ? and (end_reason = 'imported'
       or (ended_at is null and not exists (select 1 from clients where session_id = sessions.id)))`,
  ).run(id);
}

/** A number that is another one once somebody else has written. */
export const dataVersion = (db: Database): number =>
  db.query<{ data_version: number }, []>("pragma data_version").get()?.data_version ?? 0;
