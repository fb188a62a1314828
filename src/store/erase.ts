import type { Database } from "bun:sqlite";
import { findForgotten, saveTombstones, type Tombstone } from "./forgotten.ts";
import { remeasureThreads } from "./inferred.ts";
import { markTextsChanged } from "./unindexed.ts";

/** What a checkpoint carries, without what it has of some turns. */
export type Blank = (reading: string, uuids: ReadonlySet<string>) => string;

/**
 * Takes turns out of every table, and whatever else holds words of them: what readers carry, and what sessions were told since.
 * They stay away. Belongs into a transaction with `secure_delete` on; free pages are `reclaim`'s.
 */
export function eraseTurns(db: Database, ids: readonly number[], tombstones: readonly Tombstone[], blank: Blank): void {
  const those = { ids: JSON.stringify(ids) };
  const inThose = "in (select value from json_each($ids))";
  const uuids = new Set(
    db
      .query<{ uuid: string }, typeof those>(
        `select uuid from turns where id ${inThose} union select uuid from turn_aliases where turn_id ${inThose}`,
      )
      .all(those)
      .map(({ uuid }) => uuid),
  );
  const sessions = db
    .query<{ id: number; projectId: number; reading: string | null }, typeof those>(
      `select distinct sessions.id, project_id as projectId, reading from session_turns
       join sessions on sessions.id = session_turns.session_id left join checkpoints on checkpoints.session_id = sessions.id
       where turn_id ${inThose}`,
    )
    .all(those);
  for (const { id, reading } of sessions) {
    markTextsChanged(db, id);
    if (reading !== null)
      db.query("update checkpoints set reading = ? where session_id = ?").run(blank(reading, uuids), id);
  }
  // A session that began after the first of them may have been told of them, by whatever way it came to continue them.
  db.query(
    `delete from injections where session_id in (
       select session_id from restores where started_at >= (select min(started_at) from turns where id ${inThose}))`,
  ).run(those);
  db.query(`delete from turns where id ${inThose}`).run(those);
  saveTombstones(db, tombstones);
  for (const projectId of new Set(sessions.map((session) => session.projectId))) remeasureThreads(db, projectId);
}

/** Takes out the turns that were forgotten and came back with another store, such as a backup; returns how many. */
export function eraseForgotten(db: Database, blank: Blank): number {
  const ids = findForgotten(db);
  if (ids.length > 0) db.transaction(() => eraseTurns(db, ids, [], blank)).immediate();
  return ids.length;
}

/** Takes out projects of which no turn is left, with their sessions. */
export function eraseProjects(db: Database, projectIds: readonly number[]): void {
  for (const id of projectIds) {
    const listed = db.query(
      "select 1 from session_turns join sessions on sessions.id = session_id where project_id = ? limit 1",
    );
    if (listed.get(id) !== null) continue;
    db.query(
      "update sessions set predecessor_id = null where predecessor_id in (select id from sessions where project_id = ?)",
    ).run(id);
    db.query("delete from sessions where project_id = ?").run(id);
    db.query("delete from projects where id = ?").run(id);
  }
}

/** Has what is deleted overwritten from now on. */
export function overwriteDeleted(db: Database): void {
  db.run("pragma secure_delete = on");
}

/**
 * Writes the file anew without its free pages, and empties the WAL.
 * @returns false where somebody reads the old pages still
 */
export function reclaim(db: Database): boolean {
  db.run("vacuum");
  const { busy } = db.query("pragma wal_checkpoint(truncate)").get() as { busy: number };
  return busy === 0;
}
