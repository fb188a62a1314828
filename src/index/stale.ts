import type { Database } from "bun:sqlite";
import { readStamps, readTurnStamp } from "../store/index-rows.ts";
import { type Stamped, stampSessions, stampTurns } from "../store/unindexed.ts";

/** The sessions of which something may not be in the index. */
export function staleSessions(db: Database, index: Database): Stamped[] {
  const known = readStamps(index, "sessions");
  return stampSessions(db).filter(({ id, stamp }) => known.get(id) !== stamp);
}

/** The turns of a session whose texts the index does not have as they are. */
export const staleTurns = (db: Database, index: Database, sessionId: number): Stamped[] =>
  stampTurns(db, sessionId).filter(({ id, stamp }) => readTurnStamp(index, id) !== stamp);
