import type { Database } from "bun:sqlite";
import type { Detail } from "../types.ts";
import { addDetails, detailsOf, type PackRow, replaceDetails } from "./details.ts";

/** What stands in the place of a text that cannot be unpacked any more. */
export const lostText = "[lost: the database was damaged]";

/** The turns that have packs which cannot be unpacked any more. Reads all of them. */
export function unreadableTurns(db: Database): number[] {
  const turns = new Set<number>();
  for (const row of db.query<PackRow, []>(allPacks("main.detail_packs")).iterate()) {
    if (!tryDetailsOf(row)) turns.add(row.turnId);
  }
  return [...turns];
}

/** Puts a word in the place of each text that cannot be unpacked any more. */
export function markUnreadable(db: Database): void {
  const turns = unreadableTurns(db);
  db.transaction(() => {
    for (const turnId of turns) replaceDetails(db, turnId, readOrLose(db, "main.detail_packs", turnId));
  }).immediate();
}

/**
 * Adds to the store what another table of packs, `own` in `where`, has of its turns. What cannot be unpacked in one of them
 * counts only where the other has nothing under its ids.
 * @param first whose text counts where both have one
 */
export function mergePacks(db: Database, other: string, where: string, first: "own" | "other"): void {
  db.run(
    `insert into main.detail_packs (turn_id, source_ids, tools, copied, details)
     select turn_id, source_ids, tools, copied, details from ${other} as own
     where ${where} and turn_id not in (select turn_id from main.detail_packs) order by id`,
  );
  for (const turnId of differingTurns(db, other, where)) mergeTurnPacks(db, other, turnId, first);
}

const differingTurns = (db: Database, other: string, where: string): number[] =>
  db
    .query<{ id: number }, []>(
      `select distinct turn_id as id from ${other} as own where ${where} and not exists (
         select 1 from main.detail_packs ours
         where ours.turn_id = own.turn_id and ours.source_ids = own.source_ids and ours.details = own.details)`,
    )
    .all()
    .map(({ id }) => id);

function mergeTurnPacks(db: Database, other: string, turnId: number, first: "own" | "other"): void {
  const own = readOrLose(db, "main.detail_packs", turnId);
  const theirs = readOrLose(db, other, turnId);
  const [before, after] = first === "own" ? [own, theirs] : [theirs, own];
  const known = new Map(after.filter(isWhole).map((detail) => [detail.sourceId, detail]));
  const whole = before.map((detail) => (isWhole(detail) ? detail : (known.get(detail.sourceId) ?? detail)));
  replaceDetails(db, turnId, addDetails(whole, after));
}

const isWhole = ({ output }: Detail): boolean => output !== lostText;

const allPacks = (table: string): string => `select turn_id as turnId, source_ids as sourceIds, details from ${table}`;

const readOrLose = (db: Database, table: string, turnId: number): Detail[] =>
  db
    .query<PackRow, [number]>(`${allPacks(table)} where turn_id = ? order by id`)
    .all(turnId)
    .flatMap((row) => tryDetailsOf(row) ?? lose(db, row));

function tryDetailsOf(row: PackRow): Detail[] | undefined {
  try {
    return detailsOf(row);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

// Its ids stand beside the pack.
function lose(db: Database, { turnId, sourceIds }: PackRow): Detail[] {
  const { at } = db.query("select started_at as at from main.turns where id = ?").get(turnId) as { at: number };
  return idsOf(sourceIds).map((sourceId) => ({ sourceId, kind: "system", tool: "lost", at, output: lostText }));
}

function idsOf(sourceIds: string): string[] {
  try {
    const ids: unknown = JSON.parse(sourceIds);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
