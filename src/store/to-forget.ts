import type { Database } from "bun:sqlite";

/** A turn as a person is asked about it. */
export interface TurnToForget {
  id: number;
  /** UTC milliseconds, and minutes east of UTC. */
  startedAt: number;
  zoneOffset: number;
  /** Claude Code's id of a session that lists it. */
  session: string;
  /** Empty where it has none. */
  prompt: string;
}

export const turnsOfSession = (db: Database, sessionId: number): number[] =>
  db
    .query<{ id: number }, [number]>("select turn_id as id from session_turns where session_id = ?")
    .all(sessionId)
    .map(({ id }) => id);

/** The turns that a project's sessions list. */
export const turnsOfProject = (db: Database, projectId: number): number[] =>
  db
    .query<{ id: number }, [number]>(
      "select distinct turn_id as id from session_turns join sessions on sessions.id = session_id where project_id = ?",
    )
    .all(projectId)
    .map(({ id }) => id);

/** The turns, the earliest first. */
export const describeTurns = (db: Database, ids: readonly number[]): TurnToForget[] =>
  db
    .query<TurnToForget, [string]>(
      `select turns.id, started_at as startedAt, zone_offset as zoneOffset,
         coalesce((select sessions.uuid from session_turns join sessions on sessions.id = session_id where turn_id = turns.id limit 1), '') as session,
         coalesce((select text from messages where turn_id = turns.id and role = 'user' order by id limit 1), '') as prompt
       from turns where turns.id in (select value from json_each(?)) order by started_at, turns.id`,
    )
    .all(JSON.stringify(ids));

/** The client's transcripts that the turns were read from. */
export const transcriptsOf = (db: Database, ids: readonly number[]): string[] =>
  db
    .query<{ path: string }, [string]>(
      `select distinct transcript_path as path from session_turns join sessions on sessions.id = session_id
       where transcript_path is not null and turn_id in (select value from json_each(?)) order by 1`,
    )
    .all(JSON.stringify(ids))
    .map(({ path }) => path);
