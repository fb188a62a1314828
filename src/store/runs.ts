import type { Database } from "bun:sqlite";

/** What a run of the model's client came to. */
export interface RunResult {
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  milliseconds: number;
  /** `ok`, or what went wrong. */
  outcome: string;
  message: string | null;
}

/** What runs came to since a time. */
export interface Spend {
  runs: number;
  /** Turns that were sent, those of killed runs too. */
  turns: number;
  kept: number;
  tokens: number;
  costUsd: number;
  milliseconds: number;
}

/** Books a run before it begins, so that one that is killed counts. Returns its row id. */
export function beginRun(db: Database, model: string, turns: number, at: number): number {
  const insert = db.query("insert into runs (started_at, model, turns) values ($at, $model, $turns)");
  return Number(insert.run({ at, model, turns }).lastInsertRowid);
}

/**
 * Books what a run came to. Belongs into the transaction that keeps its lines.
 * @param sent whether any turn reached the model
 */
export function finishRun(db: Database, id: number, result: RunResult, kept: number, sent: boolean): void {
  db.query(
    `update runs set kept = $kept, turns = iif($sent, turns, 0), input_tokens = $inputTokens,
       output_tokens = $outputTokens, cost_usd = $costUsd, milliseconds = $milliseconds, outcome = $outcome,
       message = $message where id = $id`,
  ).run({ ...result, id, kept, sent: sent ? 1 : 0 });
}

/** What was spent since a time, UTC milliseconds. */
export const readSpend = (db: Database, since: number): Spend =>
  db
    .query<Spend, [number]>(
      `select count(*) as runs, coalesce(sum(turns), 0) as turns, coalesce(sum(kept), 0) as kept,
         coalesce(sum(input_tokens + output_tokens), 0) as tokens, coalesce(sum(cost_usd), 0) as costUsd,
         coalesce(sum(milliseconds), 0) as milliseconds from runs where started_at >= ?`,
    )
    .get(since) as Spend;

/** When the day of a moment began, UTC milliseconds; in the machine's zone where no offset (minutes east) is given. */
export function startOfDay(db: Database, now: number, zoneOffset: number | undefined): number {
  if (zoneOffset !== undefined) {
    const shift = zoneOffset * 60_000;
    return Math.floor((now + shift) / 86_400_000) * 86_400_000 - shift;
  }
  const sql = "select strftime('%s', $now / 1000, 'unixepoch', 'localtime', 'start of day', 'utc') * 1000 as at";
  return (db.query<{ at: number }, { now: number }>(sql).get({ now }) as { at: number }).at;
}

/** The options that a client is known not to take. */
export const readLackingOptions = (db: Database, client: string): string[] =>
  db
    .query<{ option: string }, [string]>("select option from lacking_options where client = ?")
    .all(client)
    .map(({ option }) => option);

export function saveLackingOption(db: Database, client: string, option: string): void {
  db.query("insert or ignore into lacking_options (client, option) values (?, ?)").run(client, option);
}
