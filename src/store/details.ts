import type { Database } from "bun:sqlite";
import { type Detail, planTool } from "../types.ts";
import { type Packed, packDetails, unpackDetails } from "./packs.ts";

/** Some of a turn's details, as they are stored: in one value. Never changed but by `replaceDetails`. */
export interface PackRow {
  turnId: number;
  /** JSON, in the order of the details. */
  sourceIds: string;
  details: Packed;
}

/** UTF-16 code units of text; a longer one stands in a pack of its own. */
const fullPack = 1_000_000;
const columns = `turn_id as turnId, source_ids as sourceIds, details`;

/**
 * Stores details of a turn, unless they are there, under their own ids or as the copies or the originals of a fork.
 * @param isNew nothing is stored of the turn
 * @param now UTC milliseconds, for what carries no time
 */
export function saveDetails(db: Database, turnId: number, given: readonly Detail[], now: number, isNew = false): void {
  if (given.length === 0) return;
  const details = given.map((detail) => (detail.at ? detail : { ...detail, at: now }));
  const rows = isNew
    ? []
    : db
        .query<{ sourceIds: string; copied: number }, [number]>(
          "select source_ids as sourceIds, copied from detail_packs where turn_id = ?",
        )
        .all(turnId);
  if (details.some(({ copied }) => copied) || rows.some(({ copied }) => copied === 1)) {
    return replaceDetails(db, turnId, addDetails(readDetails(db, turnId), details));
  }
  const known = new Set(rows.flatMap(({ sourceIds }) => JSON.parse(sourceIds) as string[]));
  insertPacks(
    db,
    turnId,
    addDetails(
      [],
      details.filter(({ sourceId }) => !known.has(sourceId)),
    ),
  );
}

/** What a turn has, and what more there is to it: the first of an id counts, and a copy only where the original is not there. */
export function addDetails(own: readonly Detail[], more: readonly Detail[]): Detail[] {
  const all = [...own];
  const ids = new Set(own.map(({ sourceId }) => sourceId));
  const hasCopies = [...own, ...more].some(({ copied }) => copied);
  for (const detail of more) {
    if (ids.has(detail.sourceId)) continue;
    const twin = hasCopies ? all.findIndex((one) => (detail.copied || one.copied) && isTwin(one, detail)) : -1;
    const copy = all[twin];
    if (!copy) all.push(detail);
    else if (detail.copied) continue;
    else {
      ids.delete(copy.sourceId);
      all[twin] = { ...detail, ...toolOf(copy) };
    }
    ids.add(detail.sourceId);
  }
  return all;
}

const isTwin = (a: Detail, b: Detail): boolean =>
  a.kind === b.kind && a.at === b.at && a.input === b.input && a.output === b.output;

const toolOf = ({ tool }: Detail) => (tool === undefined ? {} : { tool });

/** Stores these in the place of all that a turn has. */
export function replaceDetails(db: Database, turnId: number, details: readonly Detail[]): void {
  db.query("delete from detail_packs where turn_id = ?").run(turnId);
  insertPacks(db, turnId, details);
}

function insertPacks(db: Database, turnId: number, details: readonly Detail[]): void {
  for (let from = 0; from < details.length; ) {
    let to = from;
    for (let length = 0; to < details.length && length < fullPack; to += 1) length += lengthOf(details[to] as Detail);
    insertPack(db, turnId, details.slice(from, to));
    from = to;
  }
}

const lengthOf = ({ input = "", output = "" }: Detail): number => input.length + output.length;

function insertPack(db: Database, turnId: number, details: readonly Detail[]): void {
  const tools = new Set(details.flatMap(({ tool }) => tool ?? []));
  db.query(
    `insert into detail_packs (turn_id, source_ids, tools, copied, details)
     values ($turnId, $sourceIds, $tools, $copied, $details)`,
  ).run({
    turnId,
    sourceIds: JSON.stringify(details.map(({ sourceId }) => sourceId)),
    tools: JSON.stringify([...tools]),
    copied: details.some(({ copied }) => copied) ? 1 : 0,
    details: packDetails(details),
  });
}

/** Takes details out of a turn. */
export function removeDetails(db: Database, turnId: number, sourceIds: readonly string[]): void {
  const own = readDetails(db, turnId);
  const left = own.filter(({ sourceId }) => !sourceIds.includes(sourceId));
  if (left.length < own.length) replaceDetails(db, turnId, left);
}

/** Gives a turn what another one has. */
export function moveDetails(db: Database, from: number, to: number): void {
  db.query("update detail_packs set turn_id = ? where turn_id = ?").run(to, from);
  const all = readDetails(db, to);
  const each = addDetails([], all);
  if (each.length < all.length) replaceDetails(db, to, each);
}

/** A turn's L3 in the order it happened. */
export const readDetails = (db: Database, turnId: number): Detail[] =>
  db
    .query<PackRow, [number]>(`select ${columns} from detail_packs where turn_id = ? order by id`)
    .all(turnId)
    .flatMap(detailsOf);

/** @throws where it is damaged */
export const detailsOf = ({ sourceIds, details }: PackRow): Detail[] =>
  unpackDetails(details, JSON.parse(sourceIds) as string[]);

/** The input of the turn's last call of a tool. */
export const readLastInput = (db: Database, turnId: number, tool: string): string | undefined =>
  withTool(db, turnId, tool).findLast(({ kind }) => kind === "tool_input")?.input;

/** The plan that stands in the place of the turn's prompt. */
export const readPlan = (db: Database, turnId: number): Detail | undefined =>
  withTool(db, turnId, planTool).find(({ kind }) => kind === "system");

function withTool(db: Database, turnId: number, tool: string): Detail[] {
  const sql = `select ${columns} from detail_packs where turn_id = ? and instr(tools, ?) > 0 order by id`;
  return db
    .query<PackRow, [number, string]>(sql)
    .all(turnId, JSON.stringify(tool))
    .flatMap(detailsOf)
    .filter((detail) => detail.tool === tool);
}
