import type { Database } from "bun:sqlite";

/** Something that went wrong where nobody could see it. */
export interface Failure {
  id: number;
  /** UTC milliseconds. */
  at: number;
  event: string;
  message: string;
}

const day = 86_400_000;

export function saveFailure(db: Database, failure: Omit<Failure, "id"> & { sessionId?: string | undefined }): void {
  db.query("insert into failures (at, event, session_uuid, message) values ($at, $event, $sessionId, $message)").run({
    at: failure.at,
    event: failure.event,
    sessionId: failure.sessionId ?? null,
    message: failure.message,
  });
}

/** Keeps a failure that comes back at every event, unless the same was kept less than a day ago. */
export function saveDailyFailure(db: Database, failure: Parameters<typeof saveFailure>[1]): void {
  const isKnown = () =>
    db
      .query("select 1 from failures where event = ? and message = ? and at > ? limit 1")
      .get(failure.event, failure.message, failure.at - day) !== null;
  if (isKnown()) return;
  db.transaction(() => {
    if (!isKnown()) saveFailure(db, failure);
  }).immediate();
}

export const findLastFailure = (db: Database): Failure | undefined =>
  db.query<Failure, []>("select id, at, event, message from failures order by id desc limit 1").get() ?? undefined;

/** Whether something failed that nobody was told of yet. */
export const isAnythingUntold = (db: Database): boolean =>
  db.query("select 1 from failures where shown_at is null limit 1").get() !== null;

/** The failures nobody was told of yet, oldest first; they count as told from now on. */
export function tellFailures(db: Database, at: number): Failure[] {
  const untold = db
    .query<Failure, []>("select id, at, event, message from failures where shown_at is null order by id")
    .all();
  if (untold.length > 0) db.query("update failures set shown_at = ? where shown_at is null").run(at);
  return untold;
}
