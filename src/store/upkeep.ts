import { Database } from "bun:sqlite";

/** Opens a database file, whatever it is, without the right to change it. */
export function openAsIs(file: string): Database {
  const db = new Database(file, { readonly: true });
  db.run("pragma busy_timeout = 5000");
  return db;
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

/** How many rows belong to rows that are gone. */
export const countOrphans = (db: Database): number => db.query("pragma foreign_key_check").all().length;
