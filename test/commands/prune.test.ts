import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { databaseFile } from "../../src/paths.ts";
import { large, pruneDaily } from "../../src/prune/prune.ts";
import { defaults } from "../../src/settings.ts";
import { findLastFailure } from "../../src/store/failures.ts";
import { openStore } from "../../src/store/open.ts";
import { allDetails } from "../support/details.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";
import { ingestText, makeSession } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const day = 86_400_000;
/** The compiled program's clock is the machine's. */
const now = Date.now();

/** A store with a turn a day for 200 days, each with 20 KB of what a tool said. */
function fill(home: TempHome): Database {
  const env = home.env();
  mkdirSync(join(home.folder, ".throughline"), { recursive: true, mode: 0o700 });
  const db = openStore(databaseFile(env));
  const session = makeSession(db, "old", { project: home.project });
  const builder = new TranscriptBuilder("old", now - 200.5 * day, day / 4);
  for (let n = 1; n <= 200; n += 1) {
    builder.prompt(`prompt ${n}`);
    const noise = Array.from({ length: 500 }, (_, k) => Bun.hash(`${n}.${k}`).toString(36).repeat(3)).join(" ");
    builder.tool("Bash", { command: `${n}` }, noise);
    builder.say(`answer ${n}`);
  }
  ingestText(db, session, home.folder, builder.text);
  return db;
}

function run(home: TempHome, args: string[]) {
  const ran = Bun.spawnSync([binary, "db", ...args], { cwd: home.project, env: varsOf(home), stdin: "ignore" });
  return { stdout: ran.stdout.toString(), stderr: ran.stderr.toString(), code: ran.exitCode };
}

const counts = (db: Database) => ({
  turns: (db.query("select count(*) as n from turns").get() as { n: number }).n,
  details: new Set(allDetails(db).map(({ turn }) => turn)).size,
});
const bytes = (home: TempHome): number => statSync(databaseFile(home.env())).size;

test("older turns go, or what their tools said, and the file shrinks", () => {
  using home = tempHome();
  using db = fill(home);
  db.run("pragma wal_checkpoint(truncate)");
  const before = bytes(home);
  const dry = run(home, ["prune", "--older-than", "90d", "--dry-run"]);
  expect(dry).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^To be deleted: 11\d turns, from before /),
  });
  expect(counts(db)).toEqual({ turns: 200, details: 200 });
  expect(run(home, ["prune", "--older-than", "90d", "--layer", "L3"])).toMatchObject({ code: 2 });
  expect(run(home, ["prune", "--older-than", "90d", "--layer", "L3", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  const left = counts(db);
  expect([left.turns, left.details > 85 && left.details < 95]).toEqual([200, true]);
  expect(bytes(home)).toBeLessThan(before * 0.6);
  expect(run(home, ["prune", "--older-than", "90", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(counts(db).turns).toBe(left.details);
  expect(db.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
});

test("to a size: what tools said first, then turns, the oldest first", () => {
  using home = tempHome();
  using db = fill(home);
  db.run("pragma wal_checkpoint(truncate)");
  expect(run(home, ["prune", "--max-size", "1GB"]).stdout).toContain("Nothing is that old or that much");
  expect(run(home, ["prune", "--max-size", "1MB", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(counts(db)).toEqual({ turns: 200, details: 0 });
  expect(bytes(home)).toBeLessThan(1_000_000);
});

test.each([
  [["prune"], "db prune takes"],
  [["prune", "--older-than", "soon"], "takes days"],
  [["prune", "--max-size", "much"], "takes a size"],
  [["prune", "--layer", "L2", "--older-than", "1d"], "takes L3"],
  [["prune", "--layer", "L3", "--max-size", "1GB"], "--layer goes with"],
  [["check", "--older-than", "1d"], "are for `throughline db prune`"],
] as const)("%j is refused with what to do", (args, said) => {
  using home = tempHome();
  fill(home).close();
  expect(run(home, [...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
});

test("the settings do it once a day; by default nothing goes", () => {
  using home = tempHome();
  using db = fill(home);
  const env = (at: number) => home.env({ now: () => at });
  pruneDaily(db, env(now), defaults);
  expect(counts(db)).toEqual({ turns: 200, details: 200 });
  const config = { ...defaults, prune_after: 100, prune_details_after: 10 };
  pruneDaily(db, env(now + 1_000), config);
  expect(counts(db).turns).toBe(200);
  pruneDaily(db, env(now + day), config);
  const left = counts(db);
  expect(left.turns).toBeWithin(95, 105);
  expect(left.details).toBeWithin(5, 15);
  pruneDaily(db, env(now + 2 * day), { ...defaults, max_size: 1 });
  expect(bytes(home)).toBeLessThan(1_100_000);
});

test("a file that has grown large is told of, once", () => {
  using home = tempHome();
  using db = fill(home);
  const big = join(home.folder, "big");
  mkdirSync(big);
  writeFileSync(join(big, "memory.db"), "");
  Bun.spawnSync(["truncate", "-s", `${large + 1}`, join(big, "memory.db")]);
  const vars = { ...home.env().vars, THROUGHLINE_HOME: big };
  pruneDaily(db, home.env({ vars, now: () => now }), defaults);
  expect(findLastFailure(db)?.message).toBe("the database has 5.0 GB; `throughline db prune` makes it smaller");
  db.run("delete from failures");
  pruneDaily(db, home.env({ vars, now: () => now + day }), defaults);
  expect(findLastFailure(db)).toBeUndefined();
});
