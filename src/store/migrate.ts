import type { Database } from "bun:sqlite";
import init from "./migrations/0001_init.sql" with { type: "text" };
import summaries from "./migrations/0002_summaries.sql" with { type: "text" };

/** Append-only: a file's place in this list is its schema version, and a released file is never edited. */
export const migrations: readonly string[] = [init, summaries];

const version = (db: Database): number =>
  db.query<{ user_version: number }, []>("pragma user_version").get()?.user_version ?? 0;

/**
 * Brings the database to the newest schema, all steps and the version in one transaction.
 * @throws when a newer version of the program wrote it; nothing is changed then.
 */
export function migrate(db: Database, steps: readonly string[] = migrations): void {
  if (version(db) === steps.length) return;
  db.transaction(() => {
    const from = version(db); // again, now that the write lock is held
    if (from > steps.length) {
      throw new Error(
        `the database has schema ${from}, written by a newer Throughline (this one knows ${steps.length}): update this one`,
      );
    }
    for (const sql of steps.slice(from)) db.run(sql);
    db.run(`pragma user_version = ${steps.length}`);
  }).immediate();
}
