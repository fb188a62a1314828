import type { Database } from "bun:sqlite";
import { mergePacks } from "./merge-packs.ts";
import { oldDetails, packOldDetails } from "./migrations/0003_pack_details.ts";
import { type Row, readable } from "./readable.ts";
import { columnsOf, tablesOf } from "./tables.ts";

/** Copies every row that can be read from a damaged store into a new one; returns how many. */
export function salvage(from: Database, to: Database): number {
  let copied = 0;
  withoutForeignKeys(to, () => {
    to.run(oldDetails);
    for (const table of tablesOf(to)) {
      for (const rows of readable(from, table, to)) copied += insert(to, table, rows);
    }
    packOldDetails(to);
  });
  return copied;
}

/**
 * Adds what another store of the same origin has and this one lacks. Rows of the same id belong together only where their
 * turn or session is the same one in both.
 */
export function fillFrom(to: Database, file: string): void {
  to.query("attach ? as other").run(file);
  try {
    withoutForeignKeys(to, () => {
      to.run(oldDetails);
      for (const table of tablesOf(to)) if (table !== "detail_packs") fillTable(to, table);
      packOldDetails(to);
      if (columnsOf(to, "detail_packs", "other").length > 0) {
        mergePacks(to, "other.detail_packs", sameIn("turn_id"), "other");
      }
    });
  } finally {
    to.run("detach other");
  }
}

function fillTable(to: Database, table: string): void {
  const columns = columnsOf(to, table).map(({ name }) => name);
  const names = columns.filter((name) => columnsOf(to, table, "other").some((column) => column.name === name));
  if (names.length === 0) return;
  // What does not change is better taken from a store that is whole.
  const verb = table === "messages" ? "insert or replace" : "insert or ignore";
  const same = ["turn_id", "session_id"].filter((name) => names.includes(name)).map(sameIn);
  to.run(
    `${verb} into main.${table} (${names.join(", ")}) select ${names.join(", ")} from other.${table} as own
     where ${["1", ...same].join(" and ")}`,
  );
}

// A turn that is read anew loses its line, which cost something.
const setAsideTables = ["messages", "detail_packs", "summaries"];

/**
 * Sets aside what a store says of its turns while they are read anew, so that what is damaged without a sign does not stand in
 * the way. Turns of the earlier program stay: no transcript has them, and they are told from others by what they say.
 */
export function setAside(db: Database): void {
  const turns = "turn_id in (select id from main.turns where uuid not glob 'earlier:*')";
  for (const table of setAsideTables) {
    db.run(`create temp table aside_${table} as select * from main.${table} where ${turns}`);
    db.run(`delete from main.${table} where ${turns}`);
  }
  db.run("create index temp.aside_packs on aside_detail_packs (turn_id)");
}

/** Brings back what was set aside and was not read anew. */
export function bringBack(db: Database): void {
  const there = "turn_id in (select id from turns)";
  for (const table of ["messages", "summaries"]) {
    db.run(`insert or ignore into main.${table} select * from temp.aside_${table} where ${there}`);
  }
  mergePacks(db, "temp.aside_detail_packs", there, "own");
  for (const table of setAsideTables) db.run(`drop table temp.aside_${table}`);
}

const sameIn = (column: string): string => {
  const table = column === "turn_id" ? "turns" : "sessions";
  return `exists (select 1 from other.${table} theirs join main.${table} ours using (id, uuid) where theirs.id = own.${column})`;
};

/** Takes out what belongs to rows that are lost; a link to one is forgotten. Until nothing is left over. */
export function dropOrphans(db: Database): void {
  for (let changes = 1; changes > 0; ) {
    changes = 0;
    for (const table of tablesOf(db)) {
      const columns = columnsOf(db, table);
      const links = db
        .query<{ table: string; from: string; to: string }, []>(`pragma foreign_key_list(${table})`)
        .all();
      for (const link of links) {
        const lost = `${link.from} is not null and ${link.from} not in (select ${link.to} from ${link.table})`;
        const isNeeded = columns.some(({ name, notnull }) => name === link.from && notnull === 1);
        const isKey = columns.some(({ name, pk }) => name === link.from && pk > 0);
        const sql =
          isNeeded || isKey
            ? `delete from ${table} where ${lost}`
            : `update ${table} set ${link.from} = null where ${lost}`;
        changes += db.query(sql).run().changes;
      }
    }
  }
}

function withoutForeignKeys(db: Database, act: () => void): void {
  db.run("pragma foreign_keys = off");
  try {
    db.transaction(act).immediate();
  } finally {
    db.run("pragma foreign_keys = on");
  }
}

function insert(db: Database, table: string, rows: readonly Row[]): number {
  const known = columnsOf(db, table).map(({ name }) => name);
  let added = 0;
  for (const row of rows) {
    const names = known.filter((name) => Object.hasOwn(row, name));
    const sql = `insert or ignore into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
    try {
      added += db.query(sql).run(...(names.map((name) => row[name]) as string[])).changes;
    } catch (error) {
      // A damaged row can hold a text where a number belongs.
      if (!(error instanceof Error && "code" in error && isRefusal.test(`${error.code}`))) throw error;
    }
  }
  return added;
}

const isRefusal = /^SQLITE_(?:MISMATCH|CONSTRAINT|TOOBIG)/;
