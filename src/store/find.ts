import type { Database } from "bun:sqlite";
import type { StoredTurn } from "../types.ts";

/** A turn that was asked for by its time. */
export interface FoundTurn extends StoredTurn {
  /** Claude Code's id of the session that lists it. */
  session: string;
}

const daySeconds = 86_400;
const columns = `turns.id, turns.uuid, turns.started_at as startedAt, turns.zone_offset as zoneOffset, turns.state,
  turns.context_tokens as contextTokens, listed.session_id as sessionId, sessions.uuid as session`;
const tables = `turns join session_turns listed on listed.turn_id = turns.id join sessions on sessions.id = listed.session_id`;
const local = "(turns.started_at / 1000 + turns.zone_offset * 60)";

/**
 * A project's turns between two seconds of a day in the turns' own zones, newest first; once for each session that
 * lists it.
 * @param day days since 1970, `undefined` for any day
 * @param from seconds of that day
 * @param to seconds since that day's beginning, inclusive
 */
export function findTurns(
  db: Database,
  projectId: number,
  day: number | undefined,
  from: number,
  to: number,
  limit: number,
): FoundTurn[] {
  if (day === undefined) return findByClock(db, projectId, from, to, limit);
  const first = day * daySeconds + from;
  const last = day * daySeconds + to;
  return db
    .query<FoundTurn, { projectId: number; first: number; last: number; early: number; late: number; limit: number }>(
      `select ${columns} from ${tables}
       where turns.started_at between $early and $late and ${local} between $first and $last and project_id = $projectId
       order by turns.started_at desc, turns.id desc limit $limit`,
    )
    .all({ projectId, first, last, early: (first - daySeconds) * 1000, late: (last + daySeconds) * 1000, limit });
}

// By the index on the second of the day. A span over midnight is two spans.
function findByClock(db: Database, projectId: number, from: number, to: number, limit: number): FoundTurn[] {
  const wraps = to >= daySeconds ? to - daySeconds : -1;
  return db
    .query<FoundTurn, { projectId: number; from: number; to: number; wraps: number; limit: number }>(
      `select ${columns} from ${tables}
       where (${local} % 86400 between $from and $to or ${local} % 86400 between 0 and $wraps) and project_id = $projectId
       order by turns.started_at desc, turns.id desc limit $limit`,
    )
    .all({ projectId, from, to: Math.min(to, daySeconds - 1), wraps, limit });
}

/** The project's turns nearest to a moment (UTC milliseconds), two before and two after, oldest first. */
export function findNearestTurns(db: Database, projectId: number, at: number): FoundTurn[] {
  const side = (compare: string, order: string) =>
    db
      .query<FoundTurn, [number, number]>(
        `select ${columns} from ${tables} where turns.started_at ${compare} ? and project_id = ?
         order by turns.started_at ${order} limit 2`,
      )
      .all(at, projectId);
  return [...side("<", "desc").reverse(), ...side(">=", "asc")];
}

/** The row ids of a session and all it continues. */
export const threadSessions = (db: Database, sessionId: number): Set<number> =>
  new Set(
    db
      .query<{ id: number }, [number]>(
        `with recursive chain (id) as (
           values (?) union select predecessor_id from sessions join chain using (id) where predecessor_id is not null)
         select id from chain`,
      )
      .all(sessionId)
      .map(({ id }) => id),
  );
