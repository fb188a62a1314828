import type { Database } from "bun:sqlite";
import type { Session } from "./sessions.ts";

/** A thread that wants lines. Times are UTC milliseconds. */
export interface Due {
  sessionId: number;
  markedAt: number;
  urgent: boolean;
}

/**
 * Notes that a session's thread wants lines, if it has more turns than are told in full; costs as much for a long
 * session as for a short one.
 * @param fullTurns how many of the newest turns are told in full
 */
export function markDue(db: Database, session: Session, fullTurns: number, urgent: boolean, at: number): void {
  db.query(
    `insert into due (session_id, marked_at, urgent) select $id, $at, $urgent where exists (
       select 1 from session_turns where session_id = $id and left_at is null order by position desc limit 1 offset $own)
     on conflict (session_id) do update set marked_at = $at, urgent = max(urgent, $urgent)`,
  ).run({ id: session.id, at, urgent: urgent ? 1 : 0, own: Math.max(0, fullTurns - session.inheritedTurns) });
}

/** A session's own turn that is the n-th from the newest one, from 1, not counting those it left. */
export const findOwnTurn = (db: Database, sessionId: number, n: number): number | undefined =>
  db
    .query<{ id: number }, [number, number]>(
      `select turn_id as id from session_turns where session_id = ? and left_at is null
       order by position desc limit 1 offset ?`,
    )
    .get(sessionId, n - 1)?.id;

/** Notes that nobody need wait for more turns of a thread that wants lines. */
export function hurryDue(db: Database, sessionId: number): void {
  db.query("update due set urgent = 1 where session_id = ? and urgent = 0").run(sessionId);
}

/** Notes that nobody need wait for more turns of any thread. */
export function hurryAll(db: Database): void {
  db.query("update due set urgent = 1 where urgent = 0").run();
}

/** The threads that want lines, the one marked last first. */
export const readDue = (db: Database): Due[] =>
  db
    .query<Omit<Due, "urgent"> & { urgent: number }, []>(
      "select session_id as sessionId, marked_at as markedAt, urgent from due order by marked_at desc",
    )
    .all()
    .map((due) => ({ ...due, urgent: due.urgent === 1 }));

/** Notes that a thread has all its lines, unless it was marked again in between. */
export function settleDue(db: Database, { sessionId, markedAt }: Due): void {
  db.query("delete from due where session_id = ? and marked_at = ?").run(sessionId, markedAt);
}
