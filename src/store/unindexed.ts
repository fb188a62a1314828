import type { Database } from "bun:sqlite";

/** Says that a session's turns have other texts now; for whoever changes them without a checkpoint. Belongs into that transaction. */
export function markTextsChanged(db: Database, sessionId: number): void {
  db.query("update sessions set texts_changed = random() where id = ?").run(sessionId);
}

/** The same for all sessions that list a turn. */
export function markTurnChanged(db: Database, turnId: number): void {
  db.query(
    "update sessions set texts_changed = random() where id in (select session_id from session_turns where turn_id = ?)",
  ).run(turnId);
}

/** Something by its row id, and what of it differs once its texts are others. */
export interface Stamped {
  id: number;
  stamp: string;
}

/** The sessions, the newest first. A text that is written after the stamp was read makes another stamp. */
export const stampSessions = (db: Database): Stamped[] =>
  db
    .query<Stamped, []>(
      `select sessions.id, uuid || ' ' || texts_changed || ' ' || ifnull(file_id || ' ' || offset || ' ' || tail, '') as stamp
       from sessions left join checkpoints on session_id = sessions.id order by sessions.id desc`,
    )
    .all();

/**
 * The turns of a session. Messages and packs of details are never changed: they come and go, under ids that may come again.
 */
export const stampTurns = (db: Database, sessionId: number): Stamped[] =>
  db
    .query<Stamped, [number]>(
      `select turns.id, turns.started_at || ' ' ||
         (select count(*) || ' ' || ifnull(sum(at), 0) || ' ' || ifnull(sum(length(text)), 0) || ' ' || ifnull(max(id), 0)
          from messages where turn_id = turns.id) || ' ' ||
         (select count(*) || ' ' || ifnull(sum(length(details)), 0) || ' ' || ifnull(max(id), 0)
          from detail_packs where turn_id = turns.id) || ' ' ||
         ifnull((select length(text) || ' ' || created_at from summaries where turn_id = turns.id and model is not null), '')
         as stamp
       from session_turns join turns on turns.id = turn_id where session_id = ?`,
    )
    .all(sessionId);
