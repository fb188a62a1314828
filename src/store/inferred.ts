import type { Database } from "bun:sqlite";
import type { LinkReason } from "../types.ts";
import { linkSession, measureThread } from "./lineage.ts";
import { getSession } from "./sessions.ts";

/**
 * A session as the inference of links sees it; the flags are 0 or 1. Watched is one that hooks saw run, here or, of an
 * export, elsewhere.
 */
export interface LineageRow {
  id: number;
  sessionId: string;
  startedAt: number;
  activeAt: number;
  spoke: number;
  cleared: number;
  firstTurn: number | null;
  predecessor: number | null;
  reason: LinkReason | null;
  watched: number;
}

/** A project's attended sessions. */
export const readLineage = (db: Database, projectId: number): LineageRow[] =>
  db
    .query<LineageRow, [number]>(
      `select id, uuid as sessionId, started_at as startedAt, active_at as activeAt,
         exists (select 1 from session_turns where session_id = sessions.id and left_at is null) as spoke,
         coalesce(source, '') = 'clear' as cleared,
         (select turn_id from session_turns where session_id = sessions.id order by position limit 1) as firstTurn,
         predecessor_id as predecessor, link_reason as reason,
         exists (select 1 from restores where session_id = sessions.id)
           or exists (select 1 from clients where session_id = sessions.id)
           or not exists (select 1 from checkpoints where session_id = sessions.id) as watched
       from sessions where project_id = ? and headless = 0`,
    )
    .all(projectId);

/** The ids of the projects of sessions. */
export const projectsOf = (db: Database, sessionIds: readonly number[]): number[] =>
  db
    .query<{ id: number }, [string]>(
      "select distinct project_id as id from sessions where id in (select value from json_each(?)) order by 1",
    )
    .all(JSON.stringify(sessionIds))
    .map(({ id }) => id);

/** Takes an inferred link away that what was read since does not bear out. */
export function dropInferred(db: Database, id: number): void {
  db.query(
    `update sessions set predecessor_id = null, link_reason = null, linked_at = null, inherited_until = null,
       inherited_turns = 0, inherited_since = null where id = ? and link_reason = 'inferred'`,
  ).run(id);
}

/** Makes a link that was inferred; one that is known by more stays. Belongs into an immediate transaction. */
export function saveInferred(
  db: Database,
  id: number,
  link: { predecessor: number; reason: LinkReason },
  at: number,
): boolean {
  const predecessor = { session: getSession(db, link.predecessor), reason: link.reason };
  return linkSession(db, getSession(db, id), predecessor, at) !== undefined;
}

/** Counts anew what each session of a project has behind it, the earliest first. */
export function remeasureThreads(db: Database, projectId: number): void {
  const linked = db
    .query<{ id: number; predecessor: number }, [number]>(
      `select id, predecessor_id as predecessor from sessions
       where project_id = ? and predecessor_id is not null order by started_at, id`,
    )
    .all(projectId);
  const update = db.query(
    `update sessions set inherited_turns = $turns, inherited_since = $since
     where id = $id and (inherited_turns <> $turns or inherited_since is not $since)`,
  );
  for (const { id, predecessor } of linked) {
    update.run({ id, ...measureThread(db, getSession(db, predecessor), getSession(db, id).inheritedUntil) });
  }
}
