import type { Database } from "bun:sqlite";
import { columnsOf } from "./tables.ts";

export type Row = Record<string, unknown>;

/** Reads that may fail one after the other until the next row that can be read is looked for from the far end. */
const patience = 1_000;
const rowsAtOnce = 500;

/** The first column of a table's key; `rowid` where it has one. */
interface Key {
  name: string;
  isNumber: boolean;
}

/**
 * The rows of a damaged store's table that can be read, some at a time; some may come twice. SQLite reads up to the damaged
 * page and fails, so the keys behind it are halved until those that can be read lie apart from those that cannot.
 * @param like a store that is whole, for its schema
 */
export function* readable(db: Database, table: string, like: Database): Generator<Row[]> {
  if (!canAsk(db, table)) return;
  const key = keyOf(like, table);
  if (key.isNumber) yield* inRange(db, table, key.name, lowest, highest, { left: patience });
  else {
    yield* rowsUntilFailure(db, `select * from ${table} order by ${key.name}`);
    yield* rowsUntilFailure(db, `select * from ${table} order by ${key.name} desc`);
  }
}

// The store's keys count from 1 and have few gaps. What is beyond is damage, and so is most of what lies behind a leap.
const lowest = 0;
const highest = 2 ** 31;
const leap = 1_000;
/** So many keys above a range in a row are no damaged ones: the range is over. */
const enough = 64;

function* inRange(
  db: Database,
  table: string,
  key: string,
  low: number,
  high: number,
  failures: { left: number },
): Generator<Row[]> {
  if (low > high) return;
  const { isWhole, last } = yield* rowsUntilFailure(db, ascending(table, key), low, high);
  failures.left = last === undefined ? failures.left - (isWhole ? 0 : 1) : patience;
  if (isWhole) return;
  if (low === high) {
    yield* rowsUntilFailure(db, descending(table, key), high, low);
    return;
  }
  // A key of several columns may have more rows of the last value.
  const from = last === undefined ? low : key === "rowid" ? last + 1 : last;
  const middle = Math.floor((from + high) / 2);
  const near = [from, middle] as const;
  const far = [middle + 1, high] as const;
  if (failures.left > 0) {
    yield* inRange(db, table, key, ...near, failures);
    yield* inRange(db, table, key, ...far, failures);
    return;
  }
  yield* inRange(db, table, key, ...far, failures);
  if (failures.left > 0) yield* inRange(db, table, key, ...near, failures);
}

// Without an upper bound, as a damaged key would end the reading for SQLite.
const ascending = (table: string, key: string): string =>
  `select ${key} as salvaged_key, * from ${table} where ${key} >= ? order by ${key}`;
const descending = (table: string, key: string): string =>
  `select ${key} as salvaged_key, * from ${table} where ${key} <= ? order by ${key} desc`;

/** How a reading went: `last` is the last key up to which it went on without a leap. */
interface Reading {
  isWhole: boolean;
  last: number | undefined;
}

function* rowsUntilFailure(db: Database, sql: string, from?: number, to?: number): Generator<Row[], Reading> {
  const reading: Reading = { isWhole: true, last: undefined };
  const [low, high] = [Math.min(from ?? lowest, to ?? highest), Math.max(from ?? lowest, to ?? highest)];
  let rows: Row[] = [];
  let outside = 0;
  try {
    for (const row of db.query<Row, number[]>(sql).iterate(...(from === undefined ? [] : [from]))) {
      const key = Number(row.salvaged_key);
      const before = reading.last ?? low;
      if (key >= before && key <= high && (before === lowest || key - before < leap)) reading.last = key;
      outside = key < low || key > high ? outside + 1 : 0;
      if (outside > enough) break;
      if (key > highest) continue;
      if (rows.push(row) < rowsAtOnce) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    if (!(error instanceof Error && error.name === "SQLiteError")) throw error;
    reading.isWhole = false;
  }
  yield rows;
  return reading;
}

// Whether its schema at the least can be read.
function canAsk(db: Database, table: string): boolean {
  try {
    db.query(`select 1 from ${table} limit 0`).all();
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "SQLiteError") return false;
    throw error;
  }
}

function keyOf(db: Database, table: string): Key {
  const first = columnsOf(db, table).find(({ pk }) => pk === 1);
  const lacksRowid = db
    .query<{ wr: number }, [string]>("select wr from pragma_table_list where schema = 'main' and name = ?")
    .get(table)?.wr;
  if (lacksRowid !== 1 || !first) return { name: "rowid", isNumber: true };
  return { name: first.name, isNumber: first.type.toLowerCase() === "integer" };
}
