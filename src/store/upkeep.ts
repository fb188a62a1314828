import { Database } from "bun:sqlite";
import { migrations } from "./migrate.ts";
import { openAnySchema, openStore } from "./open.ts";
import { objectsOf } from "./tables.ts";

/** Opens a database file, whatever it is, without the right to change it. */
export function openAsIs(file: string): Database {
  const db = new Database(file, { readonly: true });
  db.run("pragma busy_timeout = 5000");
  return db;
}

/** Folds a store's WAL into its file, whatever its schema. */
export function foldFile(file: string): void {
  using db = openAnySchema(file);
  foldWal(db);
}

/** Has SQLite pass over a table whose definition is damaged, instead of refusing all of the file. */
export function readWhatIsThere(db: Database): void {
  db.run("pragma writable_schema = on");
}

/** Writes all of the store into a file of its own, as it is at this moment. */
export function copyInto(db: Database, file: string): void {
  db.query("vacuum into ?").run(file);
}

/** Folds the WAL into the file and has none from now on, so that the file alone is the store. */
export function foldWal(db: Database): void {
  db.run("pragma wal_checkpoint(truncate)");
}

/** A copy that was made of a store has a rollback journal. */
export function useWal(db: Database): void {
  db.run("pragma journal_mode = wal");
}

/** What the schema of this program has and the store lacks; nothing where the store has an older schema. */
export function lackingObjects(db: Database): string[] {
  const { user_version } = db.query("pragma user_version").get() as { user_version: number };
  if (user_version !== migrations.length) return [];
  using whole = openStore(":memory:");
  const there = objectsOf(db);
  return objectsOf(whole).filter((name) => !there.includes(name));
}

/** How many rows belong to rows that are gone. */
export const countOrphans = (db: Database): number => db.query("pragma foreign_key_check").all().length;
