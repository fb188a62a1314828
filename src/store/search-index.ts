import { Database } from "bun:sqlite";
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { checkFile, ForeignError } from "../ownership.ts";
import { isDamage } from "./damage.ts";

/** Another shape of the file, or of what it holds: an index that says something else is made anew. */
const format = 1;

// `blocks` are those that no segment has yet. A segment's number times the slices of one is the number of its first slice.
const schema = `
  create table sessions (id integer primary key, stamp text not null) strict;
  create table turns (id integer primary key, stamp text not null) strict;
  create table blocks (
    id integer primary key, turns text not null, signature blob not null, marked integer not null, length integer not null
  ) strict;
  create table segments (id integer primary key, turns blob not null) strict;
  create table slices (id integer primary key, rows blob not null) strict;
  pragma user_version = ${format}`;

/** Opens the index for reading; `undefined` where there is none that can be read. */
export function openIndexReadonly(file: string): Database | undefined {
  try {
    if (checkFile(file) === undefined) return undefined;
    const db = new Database(file, { readonly: true, strict: true });
    db.run("pragma busy_timeout = 2000");
    if (formatOf(db) === format) return db;
    db.close();
    return undefined;
  } catch (error) {
    if (error instanceof ForeignError || isOfSqlite(error)) return undefined;
    throw error;
  }
}

/** Opens the index for writing; one that cannot be used is thrown away, as all of it is told by the store. */
export function openIndex(file: string): Database {
  try {
    if (checkFile(file) === undefined) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      closeSync(openSync(file, "a", 0o600));
    }
    const db = new Database(file, { readwrite: true, create: false, strict: true });
    db.run("pragma busy_timeout = 5000; pragma synchronous = normal; pragma cache_spill = off");
    db.transaction(() => {
      if (formatOf(db) === 0 && isEmpty(db)) db.run(schema);
    }).immediate();
    if (formatOf(db) === format) return db;
    db.close();
  } catch (error) {
    if (!(error instanceof ForeignError) && !isDamage(error)) throw error;
  }
  dropIndex(file);
  return openIndex(file);
}

/** Throws the index away; the next one who writes it makes it anew. */
export function dropIndex(file: string): void {
  for (const end of ["", "-journal"]) rmSync(`${file}${end}`, { force: true });
}

const formatOf = (db: Database): number =>
  (db.query("pragma user_version").get() as { user_version: number }).user_version;

const isEmpty = (db: Database): boolean => db.query("select 1 from sqlite_master limit 1").get() === null;

/** Whether SQLite says so. */
export const isOfSqlite = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_");

/** Whether SQLite or the system says so, as of a disk that is full. */
export const isOfFiles = (error: unknown): boolean => /^(SQLITE_|E[A-Z]+$)/.test(codeOf(error));

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");
