import type { Database } from "bun:sqlite";
import type { Message } from "../types.ts";

/** A turn's L2 in the order it was said; its prompt first, wherever the transcript has it. */
export const readMessages = (db: Database, turnId: number): Message[] =>
  db
    .query<Message, { turnId: number }>(
      `select source_id as sourceId, role, at, text from messages where turn_id = $turnId
       order by source_id <> (select uuid from turns where id = $turnId), id`,
    )
    .all({ turnId });

/** The turn's one-line summary, if it has one. */
export const readSummary = (db: Database, turnId: number): string | undefined =>
  db.query<{ text: string }, [number]>("select text from summaries where turn_id = ?").get(turnId)?.text;
