import type { Database } from "bun:sqlite";
import type { Message } from "../types.ts";

/**
 * Stores a message of a turn unless it is there, under its own id or as the copy or the original of a fork.
 * @returns 1 where the turn now says something new, else 0
 */
export function saveMessage(db: Database, turnId: number, message: Message, now: number): number {
  const { sourceId, role, text } = message;
  const content = { turnId, role, at: message.at || now, text };
  const same = "turn_id = $turnId and role = $role and at = $at and text = $text";
  if (message.copied) {
    if (db.query(`select 1 from messages where ${same}`).get(content)) return 0;
  } else if (
    db.query(`update or ignore messages set source_id = $sourceId, copied = 0 where ${same} and copied = 1`).run({
      ...content,
      sourceId,
    }).changes > 0
  ) {
    return 0;
  }
  return db
    .query(
      `insert or ignore into messages (turn_id, source_id, role, at, text, copied)
       values ($turnId, $sourceId, $role, $at, $text, $copied)`,
    )
    .run({ ...content, sourceId, copied: message.copied ? 1 : 0 }).changes;
}
