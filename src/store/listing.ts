import type { Database } from "bun:sqlite";
import type { TurnHead } from "../types.ts";

/**
 * Lists a turn as the session's newest, unless it is listed. A prompt that hangs on the same entry as an earlier one means
 * that the person went back to before that one: it and all that followed are left, kept and findable but no longer part
 * of the conversation. A prompt that hangs on the end of a turn which was left goes on with that branch.
 */
export function listTurn(db: Database, sessionId: number, turnId: number, head: TurnHead, now: number): void {
  const newest = db
    .query<{ position: number }, [number]>(
      "select max(position) as position from session_turns where session_id = ? having max(position) is not null",
    )
    .get(sessionId);
  const position = (newest?.position ?? 0) + 1;
  const inserted = db
    .query(
      `insert or ignore into session_turns (session_id, position, turn_id, parent_uuid)
       values ($sessionId, $position, $turnId, $parentUuid)`,
    )
    .run({ sessionId, position, turnId, parentUuid: head.parentUuid });
  if (inserted.changes === 0 || isPast(db, sessionId, head.after)) return;
  if (newest && head.after !== undefined) {
    db.query("update session_turns set end_uuid = $after where session_id = $sessionId and position = $position").run({
      sessionId,
      position: newest.position,
      after: head.after,
    });
  }
  if (head.parentUuid === null) return;
  const at = head.startedAt || now;
  const goneOn = leftBranch(db, sessionId, head.parentUuid);
  leaveFrom(db, sessionId, turnId, at, goneOn.at(-1) ?? firstSibling(db, sessionId, turnId, head.parentUuid));
  for (const one of goneOn) {
    db.query("update session_turns set left_at = null where session_id = ? and position = ?").run(sessionId, one);
  }
}

// The file is read once more from its beginning, and this turn was taken back the first time.
const isPast = (db: Database, sessionId: number, after: string | undefined): boolean =>
  after !== undefined &&
  db.query("select 1 from session_turns where session_id = ? and end_uuid = ?").get(sessionId, after) !== null;

/** The first turn not left that hangs on the same entry: its position. */
function firstSibling(db: Database, sessionId: number, turnId: number, parentUuid: string): number | undefined {
  return db
    .query<{ position: number }, { sessionId: number; turnId: number; parentUuid: string }>(
      `select position from session_turns
       where session_id = $sessionId and parent_uuid = $parentUuid and turn_id <> $turnId and left_at is null
       order by position limit 1`,
    )
    .get({ sessionId, turnId, parentUuid })?.position;
}

/** The turns that were left and lead to an entry, from that entry back: their positions. */
function leftBranch(db: Database, sessionId: number, endUuid: string | null): number[] {
  const query = db.query<{ position: number; parentUuid: string | null }, [number, string]>(
    `select position, parent_uuid as parentUuid from session_turns
     where session_id = ? and end_uuid = ? and left_at is not null`,
  );
  const positions: number[] = [];
  for (let at = endUuid; at !== null; ) {
    const turn = query.get(sessionId, at);
    if (!turn || positions.includes(turn.position)) break;
    positions.push(turn.position);
    at = turn.parentUuid;
  }
  return positions;
}

function leaveFrom(db: Database, sessionId: number, turnId: number, at: number, position: number | undefined): void {
  if (position === undefined) return;
  db.query(
    `update session_turns set left_at = $at
     where session_id = $sessionId and position >= $position and turn_id <> $turnId and left_at is null`,
  ).run({ sessionId, turnId, position, at });
}
