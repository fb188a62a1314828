import type { Database } from "bun:sqlite";
import { columnsOf } from "./tables.ts";

export type Row = Record<string, unknown>;

/** Reads of one table that may fail until no single rows are looked for any more; after as many again it is given up. */
const mostFailures = 20_000;
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
  if (key.isNumber) yield* inRange(db, table, key.name, lowest, highest, { left: mostFailures });
  else {
    yield* rowsUntilFailure(db, `select * from ${table} order by ${key.name}`);
    yield* rowsUntilFailure(db, `select * from ${table} order by ${key.name} desc`);
  }
}

// What JavaScript can count; keys of the store are far from either.
const lowest = -(2 ** 52);
const highest = 2 ** 52;

function* inRange(
  db: Database,
  table: string,
  key: string,
  low: number,
  high: number,
  failures: { left: number },
): Generator<Row[]> {
  if (failures.left < (high - low < rowsAtOnce ? 0 : -mostFailures)) return;
  const sql = `select ${key} as salvaged_key, * from ${table} where ${key} between ? and ? order by ${key}`;
  const { isWhole, last } = yield* rowsUntilFailure(db, sql, low, high);
  if (isWhole) return;
  failures.left -= 1;
  if (low === high) {
    yield* rowsUntilFailure(db, `${sql} desc`, low, high);
    return;
  }
  // A key of several columns may have more rows of the last value.
  const from = last === undefined ? low : key === "rowid" ? last + 1 : last;
  if (from > high) return;
  const middle = Math.floor((from + high) / 2);
  yield* inRange(db, table, key, from, middle, failures);
  if (middle < high) yield* inRange(db, table, key, middle + 1, high, failures);
}

function* rowsUntilFailure(
  db: Database,
  sql: string,
  ...range: number[]
): Generator<Row[], { isWhole: boolean; last?: number }> {
  let rows: Row[] = [];
  let last: number | undefined;
  try {
    for (const row of db.query<Row, number[]>(sql).iterate(...range)) {
      last = Number(row.salvaged_key);
      if (rows.push(row) < rowsAtOnce) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    if (!(error instanceof Error && error.name === "SQLiteError")) throw error;
    yield rows;
    return { isWhole: false, ...(last === undefined ? {} : { last }) };
  }
  yield rows;
  return { isWhole: true };
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
