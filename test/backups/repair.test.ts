import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Random, seeded, seeds } from "../fixtures/random.ts";
import { dataOf, fileOf, fill, runHook, said, settle, transcriptOf, writeLines } from "../support/filled.ts";
import { tempHome } from "../support/home.ts";
import { runIn } from "../support/ran.ts";

const pageBytes = 4_096;

/** Ways in which files come to harm. */
const harms: readonly [string, (file: string, random: Random) => void][] = [
  ["a page is zeroed", (file, random) => overwrite(file, random.int(0, pagesOf(file) - 1), 0, Buffer.alloc(pageBytes))],
  [
    "a page is noise",
    (file, random) =>
      overwrite(file, random.int(1, pagesOf(file) - 1), 0, Buffer.from(random.text(["\u0001", "x", "~"], pageBytes))),
  ],
  [
    "some pages are noise",
    (file, random) => {
      for (let n = 0; n < 8; n++)
        overwrite(
          file,
          random.int(1, pagesOf(file) - 1),
          random.int(0, 2_000),
          Buffer.from(random.text(["\u0007", "z"], 900)),
        );
    },
  ],
  [
    "some bits are flipped",
    (file, random) => {
      const whole = readFileSync(file);
      for (let n = 0; n < 60; n += 1) {
        const at = random.int(pageBytes, whole.length - 1);
        whole[at] = (whole[at] ?? 0) ^ (1 << random.int(0, 7));
      }
      writeFileSync(file, whole);
    },
  ],
  ["it is cut off", (file, random) => truncateSync(file, random.int(1, statSync(file).size - 1))],
  ["it is empty", (file) => truncateSync(file, 0)],
  ["it is something else", (file) => writeFileSync(file, "no database at all ".repeat(1_000))],
];

const pagesOf = (file: string): number => Math.floor(statSync(file).size / pageBytes);

function overwrite(file: string, page: number, offset: number, bytes: Buffer): void {
  const whole = readFileSync(file);
  bytes.copy(whole, page * pageBytes + offset);
  writeFileSync(file, whole);
}

describe.each(harms)("%s", (_, harm) => {
  test("with the transcripts: everything is there again, and the damaged file is kept as it was", async () => {
    using home = tempHome();
    fill(home);
    await settle(home);
    const before = said(home);
    const kept = join(home.folder, "kept.db");
    copyFileSync(fileOf(home), kept);
    for (const seed of seeds(3)) {
      copyFileSync(kept, fileOf(home));
      for (const end of ["-wal", "-shm"]) rmSync(fileOf(home) + end, { force: true });
      harm(fileOf(home), seeded(seed));
      const harmed = readFileSync(fileOf(home));
      const ran = await runIn(home, undefined, "db", "repair");
      if (ran.stdout.startsWith("Nothing is damaged")) continue; // a page that nobody uses
      expect([ran.code, ran.stderr]).toEqual([0, ""]);
      expect(said(home)).toEqual(before);
      const damaged = readdirSync(dataOf(home))
        .filter((name) => /^memory\.db\.damaged-[^-]*(-\d+)?$/.test(name))
        .sort()
        .at(-1) as string;
      expect(readFileSync(join(dataOf(home), damaged)).equals(harmed)).toBe(true);
      expect((await runIn(home, undefined, "db", "check")).code).toBe(0);
    }
  }, 60_000);

  test("without the transcripts: the backup gives what cannot be read", async () => {
    using home = tempHome();
    fill(home);
    await settle(home);
    writeLines(home);
    expect(await runIn(home, undefined, "db", "backup")).toMatchObject({
      code: 0,
      stderr: "",
    });
    const before = said(home);
    rmSync(join(home.folder, ".claude"), { recursive: true });
    harm(fileOf(home), seeded(7));
    const ran = await runIn(home, undefined, "db", "repair");
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(said(home)).toEqual(before);
  }, 60_000);
});

test("a line outlives a damaged page elsewhere", async () => {
  using home = tempHome();
  fill(home);
  await settle(home);
  writeLines(home);
  const lines = said(home).filter((text) => text.startsWith("line of"));
  using db = new Database(fileOf(home), { readonly: true });
  const [page] = db
    .query<{ pageno: number }, []>("select rootpage as pageno from sqlite_master where name = 'messages_copied'")
    .all();
  overwrite(fileOf(home), (page?.pageno ?? 1) - 1, 0, Buffer.alloc(pageBytes, "x"));
  expect((await runIn(home, undefined, "db", "repair")).code).toBe(0);
  expect(said(home).filter((text) => text.startsWith("line of"))).toEqual(lines);
});

test("a hook that meets the damage says so, has it repaired, and the next start tells", async () => {
  using home = tempHome();
  fill(home);
  await settle(home);
  const before = said(home);
  writeFileSync(fileOf(home), "no database at all ".repeat(1_000));
  for (const end of ["-wal", "-shm"]) rmSync(fileOf(home) + end, { force: true });
  const failed = runHook(home, "stop", 3);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("not a database");
  for (let n = 0; n < 200 && !readdirSync(dataOf(home)).some((name) => name.includes("damaged")); n++)
    await Bun.sleep(25);
  await settle(home);
  expect(said(home)).toEqual(before);
  const { stdout } = await runIn(home, undefined, "status");
  expect(stdout).toContain("the database was damaged");
}, 60_000);

test("a weekly backup is made at the end of a session, and no more than are asked for are kept", async () => {
  using home = tempHome();
  fill(home, 2);
  const folder = join(dataOf(home), "backups");
  for (let n = 0; n < 200 && !(existsSync(folder) && readdirSync(folder).some((name) => name.endsWith("Z.db"))); n++)
    await Bun.sleep(25);
  const [first] = readdirSync(folder);
  expect(statSync(join(folder, first as string)).mode & 0o777).toBe(0o600);
  runHook(home, "session-end", 1);
  await Bun.sleep(300);
  expect(readdirSync(folder)).toHaveLength(1);
  const listed = await runIn(home, undefined, "db", "restore");
  expect(listed.stdout).toContain(first as string);
  const before = said(home);
  const restored = await runIn(home, undefined, "db", "restore", join(folder, first as string), "--yes");
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  expect(said(home)).toEqual(before);
  expect((await runIn(home, undefined, "db", "restore", "/nowhere", "--yes")).code).toBe(2);
  expect((await runIn(home, undefined, "db", "restore", transcriptOf(home, 1), "--yes")).code).toBe(2);
});
