import type { Database } from "bun:sqlite";
import type { Size } from "../types.ts";

/** How much was said in a turn, without reading it into the program. */
export const readSize = (db: Database, turnId: number): Size =>
  db
    .query(
      `select count(*) as messages, coalesce(sum(length(text)), 0) as characters,
         coalesce(sum(length(cast(text as blob))), 0) as bytes from messages where turn_id = ?`,
    )
    .get(turnId) as Size;
