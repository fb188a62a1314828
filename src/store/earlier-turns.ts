import type { Database } from "bun:sqlite";
import type { Detail, Message } from "../types.ts";
import { orderListing, readListing } from "./merge-sessions.ts";
import { importedModel } from "./summaries.ts";
import { type SaveOptions, saveChanges } from "./turns.ts";
import { markTextsChanged, markTurnChanged } from "./unindexed.ts";

/** A turn that is known from the earlier program alone. */
export interface EarlierContent {
  uuid: string;
  startedAt: number;
  messages: Message[];
  details: Detail[];
  summary: string | null;
}

/** A stored turn as it is compared with others. Times are UTC milliseconds. */
export interface Comparable {
  id: number;
  uuid: string;
  startedAt: number;
  /** Empty where it has none. */
  prompt: string;
}

/** The turns of a session, in order, for comparison. */
export const readComparable = (db: Database, sessionId: number): Comparable[] =>
  db
    .query<Comparable, [number]>(
      `select turns.id, uuid, started_at as startedAt,
         coalesce((select text from messages where turn_id = turns.id and source_id = turns.uuid), '') as prompt
       from session_turns join turns on turns.id = turn_id where session_id = ? order by position`,
    )
    .all(sessionId);

/** Whether a turn goes by another uuid now: a transcript has it. */
export const isJoinedTurn = (db: Database, uuid: string): boolean =>
  db.query("select 1 from turn_aliases where uuid = ?").get(uuid) !== null;

/** Whether a session lists a turn whose uuid matches a pattern of `glob`. */
export const listsTurnLike = (db: Database, sessionId: number, pattern: string): boolean =>
  db
    .query("select 1 from session_turns join turns on turns.id = turn_id where session_id = ? and uuid glob ? limit 1")
    .get(sessionId, pattern) !== null;

/** Stores a turn of the earlier program in a session; idempotent. Belongs into a transaction. */
export function saveEarlierTurn(db: Database, sessionId: number, turn: EarlierContent, options: SaveOptions): void {
  const { uuid, startedAt, messages, details } = turn;
  // A copy: a transcript that is read later has it under its own uuid. One that was read before is compared afterwards.
  const head = { uuid, parentUuid: null, startedAt, copied: true as const, prompt: uuid };
  saveChanges(db, sessionId, [{ type: "turn", turn: { uuid, head, messages, details, withdrawn: [] } }], options);
  markTextsChanged(db, sessionId);
  if (turn.summary === null) return;
  db.query(
    `insert or ignore into summaries (turn_id, text, model, created_at) select id, $text, $model, $at from turns where uuid = $uuid`,
  ).run({ uuid, text: turn.summary, model: importedModel, at: startedAt });
}

/** Says that a turn of the earlier program is one that a transcript has; what only the earlier one says is dropped. */
export function joinEarlierTurn(db: Database, earlier: Comparable, told: Comparable): void {
  const ids = { earlier: earlier.id, told: told.id };
  db.query(
    "insert or ignore into summaries select $told, text, model, created_at from summaries where turn_id = $earlier",
  ).run(ids);
  db.query("update turn_aliases set turn_id = $told where turn_id = $earlier").run(ids);
  db.query("delete from turns where id = ?").run(earlier.id);
  db.query("insert or ignore into turn_aliases (uuid, turn_id) values (?, ?)").run(earlier.uuid, told.id);
  markTurnChanged(db, told.id);
}

/** Puts turns of the earlier program where they belong by their time; the others keep their order. */
export function placeByTime(db: Database, sessionId: number, isEarlier: (uuid: string) => boolean): void {
  const listed = readListing(db, sessionId);
  const told = listed.filter(({ uuid }) => !isEarlier(uuid));
  const earlier = listed.filter(({ uuid }) => isEarlier(uuid)).sort((a, b) => a.startedAt - b.startedAt);
  const placed = [...told];
  for (const turn of earlier.toReversed()) {
    const at = placed.findIndex(({ startedAt }) => startedAt >= turn.startedAt);
    placed.splice(at === -1 ? placed.length : at, 0, turn);
  }
  orderListing(
    db,
    sessionId,
    placed.map(({ turnId }) => turnId),
  );
}
