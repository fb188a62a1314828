import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../fixtures/random.ts";
import { allDetails } from "../support/details.ts";
import { dataOf, fileOf, fill, runHook, said, sayMore, settle } from "../support/filled.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, runIn, varsOf } from "../support/ran.ts";

/** A store whose file is all of it, without backups, and what was said in it. */
async function filled(): Promise<{ home: TempHome; before: string[] }> {
  const home = tempHome();
  fill(home);
  await settle(home);
  return { home, before: said(home) };
}

const change = (home: TempHome, ...sql: string[]): void => {
  using db = new Database(fileOf(home));
  for (const one of sql) db.run(one);
};
const damagedOf = (home: TempHome): string[] => readdirSync(dataOf(home)).filter((name) => name.includes("damaged"));
const harm = (home: TempHome): void => {
  writeFileSync(fileOf(home), "no database at all ".repeat(1_000));
  for (const end of ["-wal", "-shm"]) rmSync(fileOf(home) + end, { force: true });
};

describe("what is no damage", () => {
  test("a database that somebody has locked stays where it is", async () => {
    const { home, before } = await filled();
    using _ = home;
    const holder = new Database(fileOf(home));
    holder.run("pragma locking_mode = exclusive");
    holder.run("begin exclusive");
    holder.run("update projects set created_at = created_at");
    const ran = await runIn(home, undefined, "db", "repair");
    expect([ran.code, ran.stderr]).toEqual([1, "throughline: database is locked\n"]);
    expect(damagedOf(home)).toEqual([]);
    holder.run("rollback");
    holder.close();
    expect(said(home)).toEqual(before);
  }, 30_000);

  test("a hot journal is taken back", async () => {
    const { home, before } = await filled();
    using _ = home;
    const kept = join(home.folder, "kept.db");
    {
      using db = new Database(fileOf(home));
      db.run("pragma journal_mode = delete");
      db.run("pragma cache_size = 5");
      db.run("begin");
      db.run("update messages set text = text || 'half'");
      for (const end of ["", "-journal"]) copyFileSync(fileOf(home) + end, kept + end);
      db.run("rollback");
    }
    for (const end of ["", "-journal"]) copyFileSync(kept + end, fileOf(home) + end);
    const ran = await runIn(home, undefined, "db", "check");
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(said(home)).toEqual(before);
    expect(damagedOf(home)).toEqual([]);
  });

  test("a lost WAL: the next event reads what was in it again", async () => {
    const { home, before } = await filled();
    using _ = home;
    const kept = join(home.folder, "kept.db");
    change(home, "pragma wal_checkpoint(truncate)");
    copyFileSync(fileOf(home), kept);
    for (const n of [1, 2, 3]) {
      sayMore(home, n);
      expect(runHook(home, "stop", n)).toEqual({ code: 0, stderr: "" });
    }
    const after = said(home);
    expect(after.length).toBe(before.length + 3);
    copyFileSync(kept, fileOf(home));
    for (const end of ["-wal", "-shm"]) rmSync(fileOf(home) + end, { force: true });
    expect(said(home)).toEqual(before);
    for (const n of [1, 2, 3]) expect(runHook(home, "stop", n)).toEqual({ code: 0, stderr: "" });
    expect(said(home)).toEqual(after);
    expect(damagedOf(home)).toEqual([]);
  });
});

describe("what SQLite's own check does not see", () => {
  test("rows that belong to rows that are gone", async () => {
    const { home, before } = await filled();
    using _ = home;
    change(home, "pragma foreign_keys = off", "delete from turns where id in (3, 70)");
    const checked = await runIn(home, undefined, "db", "check");
    expect([checked.code, checked.stderr]).toEqual([
      1,
      expect.stringMatching(
        /the database is damaged: \d+ rows belong to rows that are gone; `throughline db repair` saves/,
      ),
    ]);
    expect((await runIn(home, undefined, "db", "repair")).code).toBe(0);
    expect((await runIn(home, undefined, "db", "check")).code).toBe(0);
    expect(said(home)).toEqual(before);
  });

  test("a table that is gone", async () => {
    const { home } = await filled();
    using _ = home;
    sayMore(home, 1);
    change(home, "pragma foreign_keys = off", "drop table messages");
    expect((await runIn(home, undefined, "db", "check")).stderr).toContain("it has no index messages_by_source");
    const failed = runHook(home, "stop", 1);
    expect(failed.code).toBe(1);
    for (let n = 0; n < 400 && damagedOf(home).length === 0; n++) await Bun.sleep(25);
    await settle(home);
    expect(said(home)).toHaveLength(361);
  });

  test("a packed text that cannot be unpacked: read again, or marked as lost", async () => {
    const { home } = await filled();
    using _ = home;
    const outputs = (): unknown[] => {
      using db = new Database(fileOf(home), { readonly: true });
      return allDetails(db);
    };
    const before = outputs();
    const spoil = "update detail_packs set details = x'28b52ffd2400' where id = (select min(id) from detail_packs)";
    change(home, spoil);
    expect((await runIn(home, undefined, "db", "check")).stderr).toContain(
      "of 1 turns the tool traffic cannot be unpacked",
    );
    expect((await runIn(home, undefined, "db", "repair")).code).toBe(0);
    expect(outputs()).toEqual(before);
    change(home, spoil);
    const spoilt = idsOfFirstPack(home);
    rmSync(join(home.folder, ".claude"), { recursive: true });
    expect((await runIn(home, undefined, "db", "repair")).code).toBe(0);
    expect((await runIn(home, undefined, "db", "check")).code).toBe(0);
    using db = new Database(fileOf(home), { readonly: true });
    const lost = allDetails(db).filter(({ output }) => output === "[lost: the database was damaged]");
    expect(lost.map(({ sourceId }) => sourceId)).toEqual(spoilt);
  });
});

function idsOfFirstPack(home: TempHome): string[] {
  using db = new Database(fileOf(home), { readonly: true });
  const { ids } = db.query("select source_ids as ids from detail_packs order by id").get() as { ids: string };
  return JSON.parse(ids) as string[];
}

describe("many at once, and killed", () => {
  test("of several repairs and hooks at once one repairs, and all is there", async () => {
    const { home, before } = await filled();
    using _ = home;
    harm(home);
    const repairs = [1, 2, 3, 4].map(() => runIn(home, undefined, "db", "repair"));
    for (const n of [1, 2, 3]) runHook(home, "stop", n);
    for (const ran of await Promise.all(repairs)) expect([ran.code, ran.stderr]).toEqual([0, ""]);
    await settle(home);
    expect(damagedOf(home)).toHaveLength(1);
    expect(said(home)).toEqual(before);
    expect((await runIn(home, undefined, "db", "check")).code).toBe(0);
  }, 60_000);

  test("a repair that is killed anywhere is made by the next one", async () => {
    const { home, before } = await filled();
    using _ = home;
    const kept = join(home.folder, "kept.db");
    copyFileSync(fileOf(home), kept);
    const random = seeded(11);
    for (let round = 0; round < 12; round += 1) {
      copyFileSync(kept, fileOf(home));
      change(home, "pragma journal_mode = wal");
      harm(home);
      const child = Bun.spawn([binary, "db", "repair"], {
        env: varsOf(home),
        cwd: home.project,
        stdio: ["ignore", "ignore", "ignore"],
      });
      await Bun.sleep(random.int(20, 500));
      child.kill("SIGKILL");
      await child.exited;
      expect((await runIn(home, undefined, "db", "repair")).code).toBe(0);
      expect(runHook(home, "stop", 1)).toEqual({ code: 0, stderr: "" });
      expect(said(home)).toEqual(before);
      expect(readdirSync(dataOf(home)).filter((name) => /draft|ready/.test(name))).toEqual([]);
    }
  }, 120_000);

  test("a store that waits to be put in its place is put there by the next hook", async () => {
    const { home, before } = await filled();
    using _ = home;
    change(home, "pragma wal_checkpoint(truncate)");
    copyFileSync(fileOf(home), `${fileOf(home)}.ready`);
    for (const end of ["", "-wal", "-shm"]) rmSync(fileOf(home) + end, { force: true });
    expect(runHook(home, "stop", 1)).toEqual({ code: 0, stderr: "" });
    expect(said(home)).toEqual(before);
  });

  test("hooks do not have it tried again at every event", async () => {
    const { home } = await filled();
    using _ = home;
    harm(home);
    const lock = join(dataOf(home), "repair.lock");
    writeFileSync(lock, "");
    expect(runHook(home, "stop", 1).code).toBe(1);
    await Bun.sleep(1_000);
    expect(damagedOf(home)).toEqual([]);
    const longAgo = Date.now() / 1_000 - 700;
    utimesSync(lock, longAgo, longAgo);
    expect(runHook(home, "stop", 1).code).toBe(1);
    for (let n = 0; n < 400 && damagedOf(home).length === 0; n++) await Bun.sleep(25);
    await settle(home);
    expect(damagedOf(home)).toHaveLength(1);
  }, 30_000);
});

describe("db backup and db restore", () => {
  test("nobody else can read a backup, wherever it is made, nor what is made of one", async () => {
    const { home, before } = await filled();
    using _ = home;
    const file = join(home.folder, "mine.db");
    expect((await runIn(home, undefined, "db", "backup", file)).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await runIn(home, undefined, "db", "backup", file)).stderr).toBe(`throughline: ${file} is there already\n`);
    chmodSync(file, 0o644);
    expect((await runIn(home, undefined, "db", "restore", file, "--yes")).code).toBe(0);
    expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600);
    expect(said(home)).toEqual(before);
  });

  test("asks first, and says what is replaced", async () => {
    const { home } = await filled();
    using _ = home;
    const file = join(home.folder, "mine.db");
    await runIn(home, undefined, "db", "backup", file);
    const ran = await runIn(home, undefined, "db", "restore", file);
    expect(ran.code).toBe(2);
    expect(ran.stdout.replaceAll(home.folder, "~")).toMatchInlineSnapshot(`
      "To restore: ~/mine.db: 180 turns of 3 sessions in 1 projects
      At present: ~/.throughline/memory.db: 180 turns of 3 sessions in 1 projects
      The present one is kept beside it; what transcripts hold is read again.
      "
    `);
    expect(readdirSync(dataOf(home)).filter((name) => name.includes("before"))).toEqual([]);
  });

  test("a backup of a newer version is refused, and nothing was changed", async () => {
    const { home, before } = await filled();
    using _ = home;
    const file = join(home.folder, "newer.db");
    await runIn(home, undefined, "db", "backup", file);
    using db = new Database(file);
    db.run("pragma user_version = 99");
    const there = readdirSync(dataOf(home)).filter((name) => name !== "repair.lock");
    const ran = await runIn(home, undefined, "db", "restore", file, "--yes");
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("written by a newer Throughline")]);
    expect(readdirSync(dataOf(home)).filter((name) => name !== "repair.lock")).toEqual(there);
    expect(said(home)).toEqual(before);
  });

  test("over a damaged database, and where there is none", async () => {
    const { home, before } = await filled();
    using _ = home;
    const file = join(home.folder, "mine.db");
    await runIn(home, undefined, "db", "backup", file);
    harm(home);
    expect((await runIn(home, undefined, "db", "restore", file, "--yes")).code).toBe(0);
    expect(said(home)).toEqual(before);
    rmSync(dataOf(home), { recursive: true });
    expect((await runIn(home, undefined, "db", "restore", file, "--yes")).code).toBe(0);
    expect(said(home)).toEqual(before);
    expect(existsSync(`${fileOf(home)}.draft`)).toBe(false);
  });
});

test.each(["status", "sessions", "export", "detail 10:00", "db check", "db backup"])(
  "%s says what to type where the database is damaged",
  async (line) => {
    using home = tempHome();
    for (const bytes of ["", "no database at all ".repeat(1_000)]) {
      writeFileSync(join(dataOf(home, true), "memory.db"), bytes);
      const ran = await runIn(home, undefined, ...line.split(" "));
      expect([ran.code, ran.stderr]).toEqual([
        1,
        expect.stringContaining("`throughline db repair` saves what it holds"),
      ]);
    }
  },
);

test("status and doctor show the newest backup; doctor says when it is old", async () => {
  const { home } = await filled();
  using _ = home;
  expect((await runIn(home, undefined, "status")).stdout).toContain("Backup        none yet");
  writeFileSync(join(dataOf(home), "config.json"), "{}");
  await runIn(home, undefined, "db", "backup");
  const folder = join(dataOf(home), "backups");
  const [name] = readdirSync(folder);
  expect((await runIn(home, undefined, "status")).stdout).toContain(`: ${join(folder, name as string)}`);
  expect((await runIn(home, undefined, "doctor")).stdout).toContain("ok      the newest backup is of");
  const longAgo = Date.now() / 1_000 - 15 * 86_400;
  utimesSync(join(folder, name as string), longAgo, longAgo);
  expect((await runIn(home, undefined, "doctor")).stdout).toContain("note    the newest backup is of");
});
