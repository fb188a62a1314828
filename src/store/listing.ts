import type { Database } from "bun:sqlite";
import type { TurnHead } from "../types.ts";

/** A turn's place in a session. */
interface Place {
  position: number;
  parentUuid: string | null;
  left: number;
}

const columns = "position, parent_uuid as parentUuid, left_at is not null as left";

/**
 * Lists a turn as the session's newest, unless it is listed. A prompt that hangs on an entry in front of an earlier turn
 * means that the person went back to before that one: it and all that followed are left, kept and findable but no longer
 * part of the conversation. Where the entry is the end of a turn that was left, that branch goes on.
 */
export function listTurn(db: Database, sessionId: number, turnId: number, head: TurnHead, now: number): void {
  const { parentUuid, lead = [] } = head;
  const isReread = lead.length > 0 && findLed(db, sessionId, turnId, lead.at(-1) as string) !== undefined;
  const inserted = db
    .query(
      `insert or ignore into session_turns (session_id, position, turn_id, parent_uuid, lead)
       values ($sessionId, (select coalesce(max(position), 0) + 1 from session_turns where session_id = $sessionId),
         $turnId, $parentUuid, $lead)`,
    )
    .run({ sessionId, turnId, parentUuid, lead: JSON.stringify(lead) });
  if (inserted.changes === 0) fillLead(db, sessionId, turnId, lead);
  // The file may be read once more from its beginning: a turn that was taken back then is in nobody's way.
  if (inserted.changes === 0 || isReread || parentUuid === null || lead.includes(parentUuid)) return;
  const led = findLed(db, sessionId, turnId, parentUuid);
  const goneOn = led === undefined ? [] : leftBranch(db, sessionId, turnId, led.position - 1);
  leaveFrom(db, sessionId, turnId, head.startedAt || now, goneOn.at(-1) ?? led?.position);
  for (const position of goneOn) {
    db.query("update session_turns set left_at = null where session_id = ? and position = ?").run(sessionId, position);
  }
}

// Another machine's export does not say what stood before a prompt.
function fillLead(db: Database, sessionId: number, turnId: number, lead: readonly string[]): void {
  db.query("update session_turns set lead = ? where session_id = ? and turn_id = ? and lead is null").run(
    JSON.stringify(lead),
    sessionId,
    turnId,
  );
}

/** The first turn but one that has an entry in front of it, or hangs on it. */
const findLed = (db: Database, sessionId: number, butTurnId: number, uuid: string): Place | undefined =>
  db
    .query<Place, { sessionId: number; butTurnId: number; uuid: string }>(
      `select ${columns} from session_turns
       where session_id = $sessionId and turn_id <> $butTurnId and (instr(lead, $uuid) > 0 or parent_uuid = $uuid) order by position limit 1`,
    )
    .get({ sessionId, butTurnId, uuid }) ?? undefined;

/** The turns that were left and lead to a place, from that one back: their positions. */
function leftBranch(db: Database, sessionId: number, turnId: number, last: number): number[] {
  const query = db.query<Place, [number, number]>(
    `select ${columns} from session_turns where session_id = ? and position = ?`,
  );
  const positions: number[] = [];
  for (let place = query.get(sessionId, last); place?.left; ) {
    positions.push(place.position);
    const led = place.parentUuid === null ? undefined : findLed(db, sessionId, turnId, place.parentUuid);
    place = led && led.position <= place.position ? query.get(sessionId, led.position - 1) : null;
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
