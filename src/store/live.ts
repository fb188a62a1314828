import type { Database } from "bun:sqlite";

/** What the store says of a session that is live. */
export interface LiveFigures {
  turns: number;
  /** The context's size after each of the newest turns, in tokens, oldest first. */
  contexts: number[];
  model: string | null;
}

const shownTurns = 12;

/** The figures of a session's own turns. */
export function readLiveFigures(db: Database, sessionId: number): LiveFigures {
  const { turns } = db
    .query("select count(*) as turns from session_turns where session_id = ? and left_at is null")
    .get(sessionId) as { turns: number };
  const newest = db
    .query<{ tokens: number; model: string | null }, [number]>(
      `select context_tokens as tokens, model from session_turns join turns on turns.id = turn_id
       where session_id = ? and left_at is null and context_tokens is not null order by position desc limit ${shownTurns}`,
    )
    .all(sessionId);
  return { turns, contexts: newest.map(({ tokens }) => tokens).toReversed(), model: newest[0]?.model ?? null };
}
