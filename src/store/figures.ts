import type { Database } from "bun:sqlite";

/** What the runs that make lines came to on one day. */
export interface DaySpend {
  /** `2026-11-30`, UTC. */
  day: string;
  runs: number;
  kept: number;
  tokens: number;
  costUsd: number;
}

/** What was spent, day by day, since a time (UTC milliseconds); days without a run are left out. */
export const spendByDay = (db: Database, since: number): DaySpend[] =>
  db
    .query<DaySpend, [number]>(
      `select date(started_at / 1000, 'unixepoch') as day, count(*) as runs, sum(kept) as kept,
         sum(input_tokens + output_tokens) as tokens, sum(cost_usd) as costUsd
       from runs where started_at >= ? group by day order by day`,
    )
    .all(since);

/** A restore that put something in, and the size of the context in whose place it was put. */
export interface Restored {
  /** The row id of the session that was told. */
  sessionId: number;
  /** UTC milliseconds. */
  at: number;
  /** Minutes east of UTC at the session's first turn. */
  zoneOffset: number;
  text: string;
  replacedTokens: number;
}

/** A project's newest restores that replaced something, oldest first. */
export const listRestored = (db: Database, projectId: number, limit: number): Restored[] =>
  db
    .query<Restored, { projectId: number; limit: number }>(
      `select * from (
         select restores.session_id as sessionId, restores.started_at as at, replaced_tokens as replacedTokens,
           coalesce((select zone_offset from session_turns join turns on turns.id = turn_id
             where session_id = restores.session_id order by position limit 1), 0) as zoneOffset,
           (select group_concat(text, char(10)) from injections where session_id = restores.session_id) as text
         from restores join sessions on sessions.id = restores.session_id
         where project_id = $projectId and parts > 0 and replaced_tokens is not null
         order by restores.started_at desc limit $limit)
       where text is not null order by at`,
    )
    .all({ projectId, limit });

/** The size that a turn's last answer had before it. */
export interface ContextSize {
  turnId: number;
  /** UTC milliseconds. */
  startedAt: number;
  zoneOffset: number;
  contextTokens: number | null;
}

/** The size that the context had after each turn of a session that was not left, in order. */
export const listContextSizes = (db: Database, sessionId: number): ContextSize[] =>
  db
    .query<ContextSize, [number]>(
      `select turns.id as turnId, started_at as startedAt, zone_offset as zoneOffset, context_tokens as contextTokens
       from session_turns join turns on turns.id = turn_id where session_id = ? and left_at is null order by position`,
    )
    .all(sessionId);
