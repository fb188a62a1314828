import type { Database } from "bun:sqlite";
import type { TurnHead } from "../types.ts";

/** The turn with a uuid, or the one that a fork copied under it. */
export const findTurnId = (db: Database, uuid: string): number | undefined =>
  db
    .query<{ id: number }, [string, string]>(
      "select id from turns where uuid = ? union all select turn_id from turn_aliases where uuid = ?",
    )
    .get(uuid, uuid)?.id;

/**
 * Some forks copy a history under new uuids: a turn is then the same as one that began in the same millisecond with the
 * same prompt. It is stored once, under the original's uuid whichever of the two is read first.
 * @returns the row of the turn that is already stored
 */
export function adoptTwin(db: Database, head: TurnHead): number | undefined {
  const twin = db
    .query<{ id: number; uuid: string; copied: number }, { at: number; copied: number; prompt: string }>(
      `select id, uuid, copied from turns where started_at = $at and max(copied, $copied) = 1
         and coalesce((select text from messages where turn_id = turns.id and source_id = turns.uuid), '') = $prompt`,
    )
    .get({ at: head.startedAt, copied: head.copied ? 1 : 0, prompt: head.prompt ?? "" });
  if (!twin) return undefined;
  if (head.copied) addAlias(db, head.uuid, twin.id);
  else {
    db.query("update turns set uuid = ?, copied = 0 where id = ?").run(head.uuid, twin.id);
    addAlias(db, twin.uuid, twin.id);
    // What the earlier program kept of it in its own way the original says again.
    db.query("delete from messages where turn_id = ? and source_id glob 'earlier:*'").run(twin.id);
  }
  return twin.id;
}

const addAlias = (db: Database, uuid: string, turnId: number): void => {
  db.query("insert or ignore into turn_aliases (uuid, turn_id) values (?, ?)").run(uuid, turnId);
};
