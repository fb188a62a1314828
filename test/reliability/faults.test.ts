import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { cannotTrace } from "../hostile/traced.ts";
import { runIn } from "../support/ran.ts";
import { setScene } from "./scene.ts";

const cannotMount =
  Bun.spawnSync(["unshare", "-Urm", "true"]).exitCode === 0 ? undefined : "no mount namespace may be made";

/** A hook answers with 0 or 1 and at most one line. */
function expectHonest({ code, stderr }: { code: number | null; stderr: string }): void {
  expect([0, 1]).toContain(code as number);
  expect(stderr).toMatch(code === 0 ? /^$/ : /^throughline hook [a-z-]+: [^\n]+\n$/);
}

describe.skipIf(cannotTrace !== undefined)(`the disk fails (${cannotTrace ?? "under strace"})`, () => {
  const writes = "pwrite64,ftruncate,fsync,fdatasync,fallocate";
  test.each([
    ["ENOSPC", "from the n-th write on", "+"],
    ["EIO", "at the n-th write alone", ""],
  ])(
    "%s %s: one line, and the next event stores it",
    async (error, _, on) => {
      using undisturbed = setScene(3);
      await undisturbed.run(["hook", "stop"]);
      for (let when = 1; when <= 60; when += when < 12 ? 1 : 7) {
        using scene = setScene(3);
        const fault = [
          "strace",
          "-f",
          "-qq",
          "-o",
          "/dev/null",
          "-e",
          `trace=${writes}`,
          "-e",
          `inject=${writes}:error=${error}:when=${when}${on}`,
        ];
        expectHonest(await scene.run(["hook", "stop"], fault));
        const next = await scene.run(["hook", "stop"]);
        expect([when, next.code, next.stderr]).toEqual([when, 0, ""]);
        expect([when, scene.stored()]).toEqual([when, undisturbed.stored()]);
      }
    },
    120_000,
  );
});

describe.skipIf(cannotMount !== undefined)(`mounts (${cannotMount ?? "in a namespace"})`, () => {
  const readOnly = (folder: string): string[] => [
    "unshare",
    "-Urm",
    "sh",
    "-c",
    `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`,
    folder,
  ];

  test.each(["with its WAL", "folded in, as after a session's end", "with nothing beside it"])(
    "a home that nobody can write to, the store %s: what reads still works, a hook says one line",
    async (state) => {
      using scene = setScene(3);
      await scene.run(["hook", "stop"]);
      if (state !== "with its WAL") await scene.run(["hook", "session-end"]);
      const data = join(scene.home.folder, ".throughline");
      if (state === "with nothing beside it") {
        for (const name of readdirSync(data).filter((name) => /-(?:wal|shm)$/.test(name))) rmSync(join(data, name));
      }
      for (const args of [["status"], ["detail", "2026-11-30"], ["sessions"], ["export", "--all"]]) {
        const { code, stderr } = await scene.run(args, readOnly(scene.home.folder));
        expect([...args, code, stderr]).toEqual([...args, 0, ""]);
      }
      expectHonest(await scene.run(["hook", "stop"], readOnly(scene.home.folder)));
    },
  );

  test("a disk of 1 MB: what does not fit is told in one line, what fitted stays, and is gone on with when there is room", async () => {
    using scene = setScene(400);
    const data = join(scene.home.folder, ".throughline");
    const small = [
      "unshare",
      "-Urm",
      "sh",
      "-c",
      `mount -t tmpfs -o size=1m,mode=700 none "$0" && "$@"; code=$?; cp "$0"/last-error /tmp/none 2>/dev/null; exit $code`,
      data,
    ];
    expectHonest(await scene.run(["hook", "stop"], small));
    const after = await scene.run(["hook", "stop"]);
    expect([after.code, after.stderr]).toEqual([0, ""]);
    expect(scene.stored()).toContain("prompt 399");
  });
});

test("the store locked by somebody for 7 s: the hook gives up with one line, and the next event stores it", async () => {
  using scene = setScene(3);
  await scene.run(["hook", "session-start", "--part", "1"]);
  const db = new Database(join(scene.home.folder, ".throughline/memory.db"));
  db.run("begin immediate");
  const locked = await scene.run(["hook", "stop"]);
  expect(locked).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^throughline hook stop: [^\n]*locked[^\n]*\n$/),
  });
  db.run("rollback");
  db.close();
  expect(await scene.run(["hook", "stop"])).toMatchObject({ code: 0, stderr: "" });
  expect(scene.stored()).toContain("prompt 2");
}, 30_000);

test("a folder without the right to write: one line that names it, nothing half done, healed by giving it back", async () => {
  using scene = setScene(3);
  const data = join(scene.home.folder, ".throughline");
  const asNobody = process.getuid?.() === 0;
  if (!asNobody) chmodSync(data, 0o500);
  const before = asNobody
    ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
    : [];
  if (asNobody) chmodSync(data, 0o500);
  expectHonest(await scene.run(["hook", "stop"], before));
  chmodSync(data, 0o700);
  expect(await scene.run(["hook", "stop"])).toMatchObject({ code: 0, stderr: "" });
  expect(scene.stored()).toContain("prompt 2");
});

test("a WAL that is lost takes with it what was not folded in; the transcript gives it back", async () => {
  using scene = setScene(3);
  await scene.run(["hook", "stop"]);
  const whole = scene.stored();
  const wal = join(scene.home.folder, ".throughline/memory.db-wal");
  expect(statSync(wal).size).toBeGreaterThan(0);
  for (const end of ["-wal", "-shm"]) rmSync(join(scene.home.folder, `.throughline/memory.db${end}`));
  await scene.run(["hook", "stop"]);
  expect(scene.stored()).toBe(whole);
});

test("the clock jumps back by a year between two events: nothing is lost, and what comes is stored", async () => {
  const back = Bun.which("faketime");
  using scene = setScene(3);
  await scene.run(["hook", "stop"]);
  using db = new Database(join(scene.home.folder, ".throughline/memory.db"));
  // As if the first event had been in a year from now.
  db.run("update sessions set active_at = active_at + 31536000000, started_at = started_at + 31536000000");
  db.run("update checkpoints set read_at = read_at + 31536000000");
  expect(back === null || back.length > 0).toBe(true);
  expect(await scene.run(["hook", "stop"])).toMatchObject({ code: 0, stderr: "" });
  expect(await scene.run(["hook", "session-end"])).toMatchObject({ code: 0, stderr: "" });
  expect(await scene.run(["hook", "session-start", "--part", "1"])).toMatchObject({ code: 0, stderr: "" });
  expect(scene.stored()).toContain("prompt 2");
});

test("a newer version's schema: refused in one line that says to update, nothing is changed", async () => {
  using scene = setScene(3);
  await scene.run(["hook", "session-end"]);
  const file = join(scene.home.folder, ".throughline/memory.db");
  const db = new Database(file);
  db.run("pragma user_version = 999; pragma wal_checkpoint(truncate)");
  db.close();
  const before = readFileSync(file);
  const refused = await scene.run(["hook", "stop"]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("update this one") });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect((await runIn(scene.home, undefined, "db", "repair")).stdout).toContain("Nothing is damaged");
});
