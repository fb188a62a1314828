import type { Database } from "bun:sqlite";
import { readMessages } from "./messages.ts";
import { markTurnChanged } from "./unindexed.ts";

/** The model of a line that was imported: which one wrote it is not told. */
export const importedModel = "imported";

/** How far the making of a turn's line has come. */
export interface LineState {
  /** A model wrote the line that is there. */
  isMade: boolean;
  tries: number;
  /** What was wrong with the last answer; empty where there was none. */
  reason: string;
  /** UTC milliseconds before which nobody tries. */
  retryAt: number;
}

/** A turn that was sent, and what its messages were then: a line of other words is not kept. */
export interface SentTurn {
  id: number;
  text: string;
}

export const readLineState = (db: Database, turnId: number): LineState => {
  const made = db.query("select 1 from summaries where turn_id = ? and model is not null").get(turnId) !== null;
  const tried = db
    .query<Omit<LineState, "isMade">, [number]>(
      "select tries, reason, retry_at as retryAt from attempts where turn_id = ?",
    )
    .get(turnId);
  return { isMade: made, ...(tried ?? { tries: 0, reason: "", retryAt: 0 }) };
};

/** A turn's L2 as it is compared: whatever changes in it makes another text. */
export const textOfTurn = (db: Database, turnId: number): string =>
  readMessages(db, turnId)
    .map(({ text }) => text)
    .join("\n\n");

/**
 * Keeps a line. Belongs into the transaction that books the run.
 * @returns false where the turn has a line by now, or says something else than what the line was made of
 */
export function keepLine(db: Database, turn: SentTurn, line: string, model: string, at: number): boolean {
  if (textOfTurn(db, turn.id) !== turn.text) return false;
  const { changes } = db
    .query(
      `insert into summaries (turn_id, text, model, created_at) values ($id, $line, $model, $at)
       on conflict (turn_id) do update set text = $line, model = $model, created_at = $at where model is null`,
    )
    .run({ id: turn.id, line, model, at });
  db.query("delete from attempts where turn_id = ?").run(turn.id);
  if (changes === 1) markTurnChanged(db, turn.id);
  return changes === 1;
}

/** Notes that a turn's line was not good enough; nobody tries before `retryAt`. */
export function saveAttempt(db: Database, turnId: number, tries: number, reason: string, retryAt: number): void {
  db.query(
    `insert into attempts (turn_id, tries, reason, retry_at) select $turnId, $tries, $reason, $retryAt
       where exists (select 1 from turns where id = $turnId)
     on conflict (turn_id) do update set tries = $tries, reason = $reason, retry_at = $retryAt`,
  ).run({ turnId, tries, reason, retryAt });
}

/** Keeps the turn's own text as its line, marked by having no model, until a later attempt succeeds. */
export function keepOwnText(db: Database, turn: SentTurn, line: string, at: number): void {
  if (textOfTurn(db, turn.id) !== turn.text) return;
  const insert = "insert or ignore into summaries (turn_id, text, model, created_at) values ($id, $line, null, $at)";
  db.query(insert).run({ id: turn.id, line, at });
}

/** How many lines there are, and how many of them are the turn's own text. */
export const countLines = (db: Database): { lines: number; own: number } =>
  db
    .query<{ lines: number; own: number }, []>(
      "select count(*) as lines, coalesce(sum(model is null), 0) as own from summaries",
    )
    .get() as { lines: number; own: number };

/** The attended sessions that nobody with a turn continues, of one project or of all, newest first: row ids. */
export const threadEnds = (db: Database, projectId: number | undefined): number[] =>
  db
    .query<{ id: number }, { projectId: number | null }>(
      `select id from sessions ended where headless = 0 and ($projectId is null or project_id = $projectId)
         and exists (select 1 from session_turns where session_id = ended.id)
         and not exists (select 1 from sessions next where next.predecessor_id = ended.id
           and exists (select 1 from session_turns where session_id = next.id))
       order by active_at desc, id desc`,
    )
    .all({ projectId: projectId ?? null })
    .map(({ id }) => id);
