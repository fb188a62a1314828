import type { Database } from "bun:sqlite";
import init from "./migrations/0001_init.sql" with { type: "text" };
import summaries from "./migrations/0002_summaries.sql" with { type: "text" };
import detailPacks from "./migrations/0003_detail_packs.sql" with { type: "text" };
import { packOldDetails } from "./migrations/0003_pack_details.ts";
import textsChanged from "./migrations/0004_texts_changed.sql" with { type: "text" };
import forgotten from "./migrations/0005_forgotten.sql" with { type: "text" };

/** What brings the schema one version further: SQL, and what SQL cannot say. */
export type Step = string | ((db: Database) => void);

/** Append-only: a file's place in this list is its schema version, and a released file is never edited. */
export const migrations: readonly Step[] = [
  init,
  summaries,
  (db) => {
    db.run(detailPacks);
    packOldDetails(db);
  },
  textsChanged,
  forgotten,
];

const version = (db: Database): number =>
  db.query<{ user_version: number }, []>("pragma user_version").get()?.user_version ?? 0;

/**
 * Brings the database to the newest schema, all steps and the version in one transaction.
 * @throws when a newer version of the program wrote it; nothing is changed then.
 */
export function migrate(db: Database, steps: readonly Step[] = migrations): void {
  if (version(db) === steps.length) return;
  db.transaction(() => {
    const from = version(db); // again, now that the write lock is held
    if (from > steps.length) {
      throw new Error(
        `the database has schema ${from}, written by a newer Throughline (this one knows ${steps.length}): update this one`,
      );
    }
    for (const step of steps.slice(from)) typeof step === "string" ? db.run(step) : step(db);
    db.run(`pragma user_version = ${steps.length}`);
  }).immediate();
}
