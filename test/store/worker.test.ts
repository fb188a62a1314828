import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markDue, readDue, settleDue } from "../../src/store/due.ts";
import { openStore } from "../../src/store/open.ts";
import {
  claimWorker,
  isWorkWaiting,
  pauseWorker,
  readPause,
  releaseWorker,
  renewWorker,
} from "../../src/store/worker.ts";
import { tempHome } from "../support/home.ts";
import { makeSession, memoryStore, noon } from "../support/store.ts";

const alive = () => true;
const gone = () => false;

describe("the worker's lock", () => {
  test("is one's until it is given back, its deadline is over, or its process is gone", () => {
    using db = memoryStore();
    expect(claimWorker(db, "a", 1, noon, noon + 100, alive)).toBe(true);
    expect(claimWorker(db, "b", 2, noon + 99, noon + 200, alive)).toBe(false);
    expect(claimWorker(db, "b", 2, noon + 99, noon + 200, gone)).toBe(true);
    expect(renewWorker(db, "a", 1, noon + 300)).toBe(false);
    expect(claimWorker(db, "c", 3, noon + 200, noon + 300, alive)).toBe(true);
    expect(releaseWorker(db, "b")).toBe(false);
    expect(releaseWorker(db, "c")).toBe(true);
    expect(claimWorker(db, "d", null, noon, noon + 10, gone)).toBe(true);
    // Its process is still to come: only the deadline counts.
    expect(claimWorker(db, "e", 5, noon + 9, noon + 20, gone)).toBe(false);
    expect(renewWorker(db, "d", 4, noon + 50)).toBe(true);
  });

  test("is not given back where a thread was marked in the meantime", () => {
    using db = memoryStore();
    const session = makeSession(db, "s1");
    db.run("insert into due (session_id, marked_at) values (?, ?)", [session.id, noon]);
    claimWorker(db, "a", 1, noon, noon + 100, alive);
    expect(releaseWorker(db, "a", true)).toBe(false);
    settleDue(db, { sessionId: session.id, markedAt: noon - 1, urgent: false });
    expect(readDue(db)).toHaveLength(1);
    settleDue(db, { sessionId: session.id, markedAt: noon, urgent: false });
    expect(releaseWorker(db, "a", true)).toBe(true);
  });

  test("of five processes that claim it over and over, some killed in the middle, one holds it at a time", async () => {
    using home = tempHome();
    const [file, log, go] = ["memory.db", "log", "go"].map((name) => join(home.folder, name)) as [
      string,
      string,
      string,
    ];
    openStore(file).close();
    const script = join(import.meta.dir, "../fixtures/claim-worker.ts");
    const children = Array.from({ length: 5 }, () =>
      Bun.spawn([process.execPath, script, file, log, go, "400"], { stdout: "ignore", stderr: "pipe" }),
    );
    writeFileSync(go, "");
    const stderrs = await Promise.all(children.map(({ stderr }) => stderr.text()));
    await Promise.all(children.map(({ exited }) => exited));
    expect(stderrs.join("")).toBe("");
    const events = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
    expect(events.length).toBeGreaterThan(5);
    for (let n = 0; n < events.length; n += 2) expect(events[n + 1]).toBe(`-${events[n]?.slice(1)}`);
  }, 60_000);
});

test("work is waiting where a thread is due, nobody works and nothing is in the way", () => {
  using db = memoryStore();
  const session = makeSession(db, "s1");
  expect(isWorkWaiting(db, noon, alive)).toBe(false);
  db.run("insert into due (session_id, marked_at) values (?, ?)", [session.id, noon]);
  expect(isWorkWaiting(db, noon, alive)).toBe(true);
  claimWorker(db, "a", 1, noon, noon + 100, alive);
  expect(isWorkWaiting(db, noon + 99, alive)).toBe(false);
  expect(isWorkWaiting(db, noon + 99, gone)).toBe(true);
  expect(isWorkWaiting(db, noon + 100, alive)).toBe(true);
  releaseWorker(db, "a");
  pauseWorker(db, { until: noon + 50, reason: "limit", detail: "used up" });
  expect(isWorkWaiting(db, noon + 49, alive)).toBe(false);
  expect(isWorkWaiting(db, noon + 50, alive)).toBe(true);
  expect(readPause(db)).toEqual({ until: noon + 50, reason: "limit", detail: "used up", toldAt: null });
});

test("a session is marked where its thread has more turns than are told in full, with what it continues", () => {
  using db = memoryStore();
  const add = (sessionId: number, from: number, count: number) => {
    for (let n = from; n < from + count; n++) {
      db.run("insert into turns (id, uuid, started_at, zone_offset, state) values (?, ?, ?, 0, 'open')", [
        n,
        `t${n}`,
        noon + n,
      ]);
      db.run("insert into session_turns (session_id, position, turn_id) values (?, ?, ?)", [sessionId, n, n]);
    }
  };
  const [first, second] = [makeSession(db, "s1"), makeSession(db, "s2")];
  add(first.id, 1, 20);
  markDue(db, first, 20, false, noon);
  expect(readDue(db)).toEqual([]);
  add(second.id, 100, 2);
  markDue(db, { ...second, inheritedTurns: 18 }, 20, false, noon);
  expect(readDue(db)).toEqual([]);
  markDue(db, { ...second, inheritedTurns: 19 }, 20, true, noon);
  markDue(db, { ...second, inheritedTurns: 19 }, 20, false, noon + 1);
  expect(readDue(db)).toEqual([{ sessionId: second.id, markedAt: noon + 1, urgent: true }]);
});
