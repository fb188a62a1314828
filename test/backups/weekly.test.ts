import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stamp } from "../../src/backups/files.ts";
import { backUpWeekly } from "../../src/backups/weekly.ts";
import { readConfig } from "../../src/config.ts";
import { findLastFailure } from "../../src/store/failures.ts";
import { isBackupDue } from "../../src/store/notices.ts";
import { openStore } from "../../src/store/open.ts";
import { dataOf } from "../support/filled.ts";
import { type TempHome, tempHome } from "../support/home.ts";

const day = 86_400_000;
const start = Date.UTC(2026, 10, 1);

/** A store with one turn, and what its backups are at a time. */
function storeIn(home: TempHome): { db: Database; at: (days: number, alive?: number) => string[] } {
  const db = openStore(join(dataOf(home, true), "memory.db"));
  db.run("insert into turns (uuid, started_at, zone_offset, state) values ('t', 0, 0, 'done')");
  const folder = join(dataOf(home), "backups");
  const at = (days: number, alive = 0): string[] => {
    const env = home.env({ now: () => start + days * day, exists: (pid) => pid === alive });
    backUpWeekly(db, env, readConfig(env));
    return readdirSync(folder).sort();
  };
  return { db, at };
}

const named = (days: number): string => `memory-${stamp(start + days * day)}.db`;

test("one a week, of which the newest two are kept, and none where none are wanted", () => {
  using home = tempHome();
  const { at } = storeIn(home);
  expect(at(0)).toEqual([named(0)]);
  expect(at(6.9)).toEqual([named(0)]);
  expect(at(7.1)).toEqual([named(0), named(7.1)]);
  expect(at(20)).toEqual([named(7.1), named(20)]);
  writeFileSync(join(dataOf(home), "config.json"), '{"backups": 0}');
  expect(at(40)).toEqual([named(7.1), named(20)]);
});

test("nothing stored is nothing to back up", () => {
  using home = tempHome();
  using db = openStore(join(dataOf(home, true), "memory.db"));
  expect(isBackupDue(db, start)).toBe(false);
});

test("one that fails is told, and tried again after a day", () => {
  using home = tempHome();
  const { db, at } = storeIn(home);
  const folder = join(dataOf(home), "backups");
  writeFileSync(folder, "a file in its place");
  expect(() => at(0)).toThrow("ENOTDIR"); // from the test's own look at the folder
  expect(findLastFailure(db)).toMatchObject({ event: "backup", message: expect.stringContaining("EEXIST") });
  rmSync(folder);
  mkdirSync(folder);
  expect(at(0.9)).toEqual([]);
  expect(at(1.1)).toEqual([named(1.1)]);
});

test("what one left that was killed goes with the next; of one at work it stays", () => {
  using home = tempHome();
  const { at } = storeIn(home);
  const folder = join(dataOf(home), "backups");
  mkdirSync(folder);
  const drafts = [`${named(0)}.12.new`, `${named(0)}.12.new-journal`, `${named(0)}.13.new`];
  for (const draft of drafts) writeFileSync(join(folder, draft), "half");
  writeFileSync(join(folder, "mine.db"), "the person's own");
  expect(at(1, 13)).toEqual([`${named(0)}.13.new`, named(1), "mine.db"]);
});
