import type { Database } from "bun:sqlite";
import type { TurnState } from "../types.ts";
import { getSession, type Session } from "./sessions.ts";

/** A turn's place in a thread. Times are UTC milliseconds. */
export interface ThreadTurn {
  id: number;
  startedAt: number;
  zoneOffset: number;
  /** The row id of the session that lists it. */
  sessionId: number;
  /** Whether a rewind went back before it: kept, but no longer part of the conversation. */
  left: number;
  state: TurnState;
  contextTokens: number | null;
}

/** All that a session and those it continues list, oldest first; a turn that several list stands where it is newest. */
export function listThread(db: Database, session: Session): ThreadTurn[] {
  const hops: ThreadTurn[][] = [];
  const seen = new Set<number>();
  const listed = new Set<number>();
  let until = Number.MAX_SAFE_INTEGER;
  for (let at: Session | undefined = session; at && !seen.has(at.id); ) {
    seen.add(at.id);
    const own = listTurns(db, at.id, until).filter(({ id }) => !listed.has(id));
    for (const { id } of own) listed.add(id);
    hops.push(own);
    until = Math.min(until, at.inheritedUntil);
    at = at.predecessorId === null ? undefined : getSession(db, at.predecessorId);
  }
  return hops.reverse().flat();
}

// As a walk over the thread sees it (lineage.ts), with what was left by then.
const listTurns = (db: Database, sessionId: number, until: number): ThreadTurn[] =>
  db
    .query<ThreadTurn, { sessionId: number; until: number }>(
      `select turns.id, started_at as startedAt, zone_offset as zoneOffset, session_id as sessionId, state,
         context_tokens as contextTokens, left_at is not null and left_at <= $until as left
       from session_turns join turns on turns.id = turn_id
       where session_id = $sessionId and started_at <= $until order by position`,
    )
    .all({ sessionId, until });

/** What it takes to show a turn's tool traffic: its zone (minutes east of UTC) and a project that lists it. */
export const placeOf = (db: Database, turnId: number): { zoneOffset: number; project: string } | undefined =>
  db
    .query<{ zoneOffset: number; project: string }, [number]>(
      `select zone_offset as zoneOffset, path as project from turns join session_turns on turn_id = turns.id
       join sessions on sessions.id = session_id join projects on projects.id = project_id
       where turns.id = ? order by sessions.id desc limit 1`,
    )
    .get(turnId) ?? undefined;
