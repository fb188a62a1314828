import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../fixtures/random.ts";
import { dumpStore } from "../support/dump.ts";
import { tempHome } from "../support/home.ts";
import { exportLines, exportSorted, importLines, importPaths, linksOf } from "../support/imported.ts";
import { memoryStore } from "../support/store.ts";

const transcripts = join(import.meta.dir, "../fixtures/transcripts");
const files = readdirSync(transcripts).map((name) => join(transcripts, name));

test("transcripts as clients wrote them, copied histories among them: the order does not count, twice is once", async () => {
  using home = tempHome();
  using whole = memoryStore();
  await importPaths(whole, home, transcripts);
  const [expected, links] = [dumpStore(whole), linksOf(whole)];
  for (let seed = 1; seed <= 4; seed += 1) {
    using db = memoryStore();
    const random = seeded(seed);
    for (const file of files.toSorted(() => random.int(-1, 1))) await importPaths(db, home, file);
    expect(dumpStore(db)).toEqual(expected);
    expect(linksOf(db)).toEqual(links);
  }
  await importPaths(whole, home, ...files.toReversed());
  expect(dumpStore(whole)).toEqual(expected);
});

test("all of them exported and imported are the same store, whichever way", async () => {
  using home = tempHome();
  using one = memoryStore();
  using two = memoryStore();
  await importPaths(one, home, transcripts);
  await importLines(two, home, exportLines(one));
  expect(dumpStore(two)).toEqual(dumpStore(one));
  const stored = exportSorted(one);
  await importLines(one, home, exportLines(two));
  expect(exportSorted(one)).toEqual(stored);
});

test("an older copy of a transcript that is gone changes nothing", async () => {
  using home = tempHome();
  const changed: string[] = [];
  for (const from of files) {
    using db = memoryStore();
    const folder = join(home.folder, "kept");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const file = join(home.folder, from.split("/").at(-1) as string);
    cpSync(from, file);
    await importPaths(db, home, file);
    const before = dumpStore(db);
    const lines = readFileSync(from, "utf8").split("\n");
    rmSync(file);
    for (const share of [0.3, 0.6, 0.9, 1]) {
      const copy = join(folder, `${share}-${from.split("/").at(-1)}`);
      writeFileSync(
        copy,
        lines
          .slice(0, Math.ceil(lines.length * share))
          .map((line) => `${line}\n`)
          .join(""),
      );
      await importPaths(db, home, copy);
      if (!Bun.deepEquals(dumpStore(db), before)) changed.push(`${from.split("/").at(-1)} ${share}`);
    }
  }
  expect(changed).toEqual([]);
});

test("a longer copy of a transcript that is gone is read in its place", async () => {
  using home = tempHome();
  for (const [n, from] of files.entries()) {
    using whole = memoryStore();
    using db = memoryStore();
    const name = from.split("/").at(-1) as string;
    const lines = readFileSync(from, "utf8").split("\n");
    const [early, late] = [0.5, 1].map((share) => {
      const folder = join(home.folder, `${n} ${share}`);
      mkdirSync(folder);
      const text = lines.slice(0, Math.ceil(lines.length * share)).map((line) => `${line}\n`);
      writeFileSync(join(folder, name), text.join(""));
      return join(folder, name);
    }) as [string, string];
    await importPaths(db, home, early);
    rmSync(early);
    await importPaths(db, home, late);
    await importPaths(whole, home, late);
    expect(dumpStore(db)).toEqual(dumpStore(whole));
  }
});

test("rows of the earlier program that are still in its WAL are read, and it is left as it is", async () => {
  using home = tempHome();
  using db = memoryStore();
  const folder = join(home.folder, "earlier");
  const file = join(folder, "throughline.db");
  cpSync(join(import.meta.dir, "../fixtures/legacy/v9.db"), file);
  const writer = new Database(file);
  writer.run("pragma journal_mode = wal; pragma wal_autocheckpoint = 0");
  writer.run(
    "update bodies set text = 'in the WAL' where role = 'user' and turn_number = 1 and session_id like 'dddd%'",
  );
  const states = () => readdirSync(folder).map((name) => [name, Bun.hash(readFileSync(join(folder, name)))]);
  const before = states();
  expect(before.map(([name]) => name)).toContain("throughline.db-wal");
  await importPaths(db, home, file);
  expect(states()).toEqual(before);
  writer.close();
  expect(exportLines(db).some((line) => line.includes("in the WAL"))).toBe(true);
  expect(
    existsSync(join(home.folder, ".throughline"))
      ? readdirSync(join(home.folder, ".throughline")).filter((name) => name !== "search.db")
      : [],
  ).toEqual([]);
});
