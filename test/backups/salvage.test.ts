import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/open.ts";
import { salvage } from "../../src/store/salvage.ts";
import { tablesOf } from "../../src/store/tables.ts";
import { openAsIs } from "../../src/store/upkeep.ts";
import { seeded, seeds } from "../fixtures/random.ts";
import { tempHome } from "../support/home.ts";

const pageBytes = 4_096;
const turns = 400;

/** A store of some hundred pages in one file. */
function fill(file: string): void {
  using db = openStore(file);
  db.run("pragma journal_mode = delete");
  db.transaction(() => {
    db.run("insert into projects (id, path, created_at) values (1, '/p', 0)");
    for (const id of [1, 2, 3])
      db.run(`insert into sessions (id, uuid, project_id, started_at, active_at) values (${id}, 's${id}', 1, 0, 0)`);
    for (let id = 1; id <= turns; id += 1) {
      db.run(`insert into turns (id, uuid, started_at, zone_offset, state) values (${id}, 't${id}', ${id}, 0, 'done')`);
      db.run(`insert into session_turns (session_id, position, turn_id, lead)
        values (${1 + (id % 3)}, ${id}, ${id}, '${"lead ".repeat(30)}')`);
      for (const role of ["user", "assistant"])
        db.run(`insert into messages (turn_id, source_id, role, at, text)
          values (${id}, '${role}${id}', '${role}', ${id}, '${`${role} ${id} `.repeat(40)}')`);
    }
  })();
}

/** Each row of a table that can be read alone. */
function readOneByOne(db: Database, table: string, keys: readonly string[]): string[] {
  const rows: string[] = [];
  for (const key of keys) {
    try {
      for (const row of db.query(`select * from ${table} where ${key}`).all()) rows.push(JSON.stringify(row));
    } catch (error) {
      if (!(error instanceof Error && error.name === "SQLiteError")) throw error;
    }
  }
  return rows.sort();
}

const upTo = (count: number, key: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => key(n + 1));
const keysOf: Readonly<Record<string, string[]>> = {
  sessions: upTo(3, (n) => `rowid = ${n}`),
  turns: upTo(turns, (n) => `rowid = ${n}`),
  messages: upTo(turns * 2, (n) => `rowid = ${n}`),
};

test.each(seeds(25))("damage %p: every row that can be read alone is saved", (seed) => {
  using home = tempHome();
  const random = seeded(seed);
  const file = join(home.folder, "damaged.db");
  fill(file);
  const bytes = readFileSync(file);
  const pages = bytes.length / pageBytes;
  for (let n = random.int(1, 12); n > 0; n -= 1) {
    const at = random.int(1, pages - 1) * pageBytes;
    if (random.int(0, 1) === 0) bytes.fill(random.int(0, 255), at, at + pageBytes);
    else for (let k = 0; k < 40; k += 1) bytes[at + random.int(0, pageBytes - 1)] = random.int(0, 255);
  }
  writeFileSync(file, random.int(0, 2) === 0 ? bytes.subarray(0, random.int(pageBytes, bytes.length)) : bytes);
  using from = openAsIs(file);
  using to = openStore(":memory:");
  const started = performance.now();
  salvage(from, to);
  expect(performance.now() - started).toBeLessThan(20_000);
  for (const [table, keys] of Object.entries(keysOf)) {
    const saved = readOneByOne(to, table, keys);
    // A row that damage made into one that the store refuses is none.
    const lost = readOneByOne(from, table, keys).filter((row) => !saved.includes(row) && isTaken(table, row));
    expect(lost).toEqual([]);
  }
});

function isTaken(table: string, row: string): boolean {
  using db = openStore(":memory:");
  db.run("pragma foreign_keys = off");
  const values = JSON.parse(row) as Record<string, string>;
  const names = Object.keys(values);
  try {
    const sql = `insert or ignore into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
    return db.query(sql).run(...Object.values(values)).changes === 1;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

test("rows that the store refuses, and keys beyond all counting, are passed over", () => {
  using from = new Database(":memory:");
  using to = openStore(":memory:");
  for (const table of tablesOf(to)) {
    const { sql } = to.query<{ sql: string }, [string]>("select sql from sqlite_master where name = ?").get(table) ?? {
      sql: "",
    };
    if (table !== "worker") from.run(sql.replace(/\) strict(?:, without rowid)?$/, ")"));
  }
  from.run("insert into projects (id, path, created_at) values (1, '/one', 'yesterday'), (2, '/two', 2)");
  from.run("insert into projects (id, path, created_at) values (4611686018427387904, '/far', 3)");
  expect(salvage(from, to)).toBe(1);
  expect(to.query("select id, path from projects order by id").all()).toEqual([{ id: 2, path: "/two" }]);
});

test("what lies behind a damaged page in a table without rowids is saved, too", () => {
  using home = tempHome();
  const file = join(home.folder, "damaged.db");
  fill(file);
  const bytes = readFileSync(file);
  const pages: number[] = [];
  for (let at = pageBytes; at < bytes.length; at += pageBytes) {
    // Leaves of indexes, of which a table without rowids is one, that hold its texts.
    if (bytes[at] === 0x0a && bytes.subarray(at, at + pageBytes).includes("lead lead")) pages.push(at);
  }
  expect(pages.length).toBeGreaterThan(10);
  for (const at of [pages[2], pages[5], pages.at(-2)]) bytes.fill(0xff, at, (at as number) + pageBytes);
  writeFileSync(file, bytes);
  using from = openAsIs(file);
  using to = openStore(":memory:");
  salvage(from, to);
  const { saved } = to.query("select count(*) as saved from session_turns").get() as { saved: number };
  expect(saved).toBeGreaterThan(turns - 3 * 30);
});
