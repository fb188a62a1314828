import type { Database } from "bun:sqlite";
import { remeasureThreads } from "./inferred.ts";

/** What is taken from old turns: all of them, or what their tools said. */
export type Layer = "all" | "L3";

/** How many turns began before a time (UTC milliseconds), of those that have what would be taken. */
export const countOlder = (db: Database, before: number, layer: Layer): number =>
  (
    db
      .query(
        `select count(*) as n from turns where started_at < $before
           and ($layer = 'all' or exists (select 1 from detail_packs where turn_id = turns.id))`,
      )
      .get({ before, layer }) as { n: number }
  ).n;

/** Bytes of the file that hold something. */
export function usedBytes(db: Database): number {
  const one = (pragma: string): number =>
    Object.values(db.query(`pragma ${pragma}`).get() as Record<string, number>)[0] ?? 0;
  return (one("page_count") - one("freelist_count")) * one("page_size");
}

/** Turns that are taken in one transaction, so that no hook waits for long. */
const step = 500;

/** Takes it from turns that began before a time, some hundred at once; returns from how many. */
export function pruneOlder(db: Database, before: number, layer: Layer): number {
  let pruned = 0;
  for (;;) {
    const count = pruneOldest(db, before, layer);
    pruned += count;
    if (count < step) return pruned;
  }
}

/**
 * Takes it from the oldest turns until what is left fits: first what tools said, the greatest part by far, then turns.
 * @param most bytes
 */
export function pruneToSize(db: Database, most: number): number {
  let pruned = 0;
  for (const layer of ["L3", "all"] as const) {
    while (usedBytes(db) > most) {
      const count = pruneOldest(db, Number.MAX_SAFE_INTEGER, layer);
      if (count === 0) break;
      pruned += count;
    }
  }
  return pruned;
}

function pruneOldest(db: Database, before: number, layer: Layer): number {
  return db
    .transaction(() => {
      const ids = db
        .query<{ id: number }, { before: number; layer: string }>(
          `select id from turns where started_at < $before
             and ($layer = 'all' or exists (select 1 from detail_packs where turn_id = turns.id))
           order by started_at limit ${step}`,
        )
        .all({ before, layer })
        .map(({ id }) => id);
      if (ids.length === 0) return 0;
      const those = JSON.stringify(ids);
      const inThose = "in (select value from json_each(?))";
      const projects = db
        .query<{ id: number }, [string]>(
          `select distinct project_id as id from session_turns join sessions on sessions.id = session_id where turn_id ${inThose}`,
        )
        .all(those);
      db.query(
        `update sessions set texts_changed = random() where id in (select session_id from session_turns where turn_id ${inThose})`,
      ).run(those);
      if (layer === "L3") db.query(`delete from detail_packs where turn_id ${inThose}`).run(those);
      else {
        db.query(`delete from turns where id ${inThose}`).run(those);
        for (const { id } of projects) remeasureThreads(db, id);
      }
      return ids.length;
    })
    .immediate();
}
