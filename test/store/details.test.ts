import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  addDetails,
  moveDetails,
  readDetails,
  readLastInput,
  removeDetails,
  saveDetails,
} from "../../src/store/details.ts";
import { markUnreadable, mergePacks, unreadableTurns } from "../../src/store/merge-packs.ts";
import { migrate, migrations } from "../../src/store/migrate.ts";
import { pack } from "../../src/store/pack.ts";
import { packDetails, unpackDetails } from "../../src/store/packs.ts";
import type { Detail } from "../../src/types.ts";
import { type Random, seeded, seeds } from "../fixtures/random.ts";
import { memoryStore } from "../support/store.ts";

const texts = ["", "a", "認証 😀", "\ud800", "line\nline", "x".repeat(700), '"quoted"\u0000', "é\u0301".repeat(300)];

function randomDetail({ int, pick }: Random, ids: number): Detail {
  const id = int(1, ids);
  const isCall = int(0, 1) === 0;
  return {
    sourceId: isCall ? `toolu_${id}` : `toolu_${id}:result`,
    kind: isCall ? "tool_input" : "tool_output",
    at: int(1, 4),
    ...(isCall ? { tool: pick(["Bash", "TodoWrite", "日本"]), input: pick(texts) } : { output: pick(texts) }),
    ...(int(1, 7) === 1 ? { copied: true as const } : {}),
  };
}

// As SQLite stores text: what is no character is replaced.
const asStored = (detail: Detail): Detail => ({
  ...detail,
  ...(detail.input === undefined ? {} : { input: detail.input.toWellFormed() }),
  ...(detail.output === undefined ? {} : { output: detail.output.toWellFormed() }),
});

function storeWithTurns(): Database {
  const db = memoryStore();
  db.run(
    "insert into turns (id, uuid, started_at, zone_offset, state) values (1, 'one', 7, 0, 'open'), (2, 'two', 8, 0, 'open')",
  );
  return db;
}

test.each(seeds(30))("packing and unpacking gives the same details (seed %d)", (seed) => {
  const random = seeded(seed);
  const details = Array.from({ length: random.int(0, 20) }, () => randomDetail(random, 1_000));
  const ids = details.map(({ sourceId }) => sourceId);
  expect(unpackDetails(packDetails(details), ids)).toEqual(details.map(asStored));
});

describe("what is saved, moved and taken out", () => {
  test.each(seeds(60))("is what a plain list would hold (seed %d)", (seed) => {
    const random = seeded(seed);
    using db = storeWithTurns();
    const lists: Record<number, Detail[]> = { 1: [], 2: [] };
    for (let step = 0; step < 30; step += 1) {
      const turn = random.int(1, 2);
      const own = lists[turn] as Detail[];
      if (random.int(1, 4) < 4) {
        const more = Array.from({ length: random.int(0, 6) }, () => asStored(randomDetail(random, 12)));
        saveDetails(db, turn, more, 99);
        lists[turn] = one(own, more);
      } else {
        const out = own.filter(() => random.int(1, 3) === 1).map(({ sourceId }) => sourceId);
        removeDetails(db, turn, out);
        lists[turn] = own.filter(({ sourceId }) => !out.includes(sourceId));
      }
      for (const id of [1, 2]) expect(readDetails(db, id)).toEqual(lists[id] as Detail[]);
      const calls = (lists[1] as Detail[]).filter(({ tool, kind }) => tool === "TodoWrite" && kind === "tool_input");
      expect(readLastInput(db, 1, "TodoWrite")).toBe(calls.at(-1)?.input);
    }
  });

  // One after the other: an id counts once, a copy only where what it copies is not there, an original in its copy's place.
  function one(own: readonly Detail[], more: readonly Detail[]): Detail[] {
    const list = [...own];
    for (const detail of more) {
      const same = (other: Detail): boolean =>
        other.kind === detail.kind &&
        other.at === detail.at &&
        other.input === detail.input &&
        other.output === detail.output;
      if (list.some(({ sourceId }) => sourceId === detail.sourceId)) continue;
      if (detail.copied && list.some(same)) continue;
      const copy = list.findIndex((other) => other.copied && same(other));
      if (copy < 0) list.push(detail);
      else {
        const { copied: _, ...original } = { ...(list[copy] as Detail), sourceId: detail.sourceId };
        list[copy] = original;
      }
    }
    return list;
  }

  test("a turn that becomes part of another one brings what that one lacks", () => {
    using db = storeWithTurns();
    const detail = (sourceId: string, output: string): Detail => ({ sourceId, kind: "tool_output", at: 1, output });
    saveDetails(db, 1, [detail("a", "first"), detail("b", "second")], 0);
    saveDetails(db, 2, [detail("b", "again"), detail("c", "third")], 0);
    moveDetails(db, 2, 1);
    expect(readDetails(db, 1).map(({ output }) => output)).toEqual(["first", "second", "third"]);
    expect(readDetails(db, 2)).toEqual([]);
  });

  test("long texts stand in packs of their own", () => {
    using db = storeWithTurns();
    const details = [1, 2, 3, 4].map(
      (n): Detail => ({ sourceId: `${n}`, kind: "tool_output", at: 1, output: `${n}`.repeat(600_000) }),
    );
    saveDetails(db, 1, details, 0);
    expect(db.query("select count(*) as n from detail_packs").get()).toEqual({ n: 2 });
    expect(readDetails(db, 1)).toEqual(details);
  });
});

test("a database of schema 2 says the same in this one, text by text", () => {
  using db = new Database(":memory:", { strict: true });
  migrate(db, migrations.slice(0, 2));
  db.run(
    "insert into turns (id, uuid, started_at, zone_offset, state) values (1, 'one', 7, 0, 'open'), (2, 'two', 8, 0, 'open')",
  );
  const random = seeded(4);
  const lists = [1, 2].map((turn) => {
    const details = addDetails(
      [],
      Array.from({ length: 40 }, () => asStored(randomDetail(random, 30))),
    );
    for (const { sourceId, kind, tool, at, input, output, copied } of details) {
      db.query(
        "insert into details (turn_id, source_id, kind, tool, at, input, output, copied) values (?, ?, ?, ?, ?, ?, ?, ?)",
      ).run(turn, sourceId, kind, tool ?? null, at, pack(input), pack(output), copied ? 1 : 0);
    }
    return details;
  });
  migrate(db);
  expect([readDetails(db, 1), readDetails(db, 2)]).toEqual(lists);
  expect(db.query("select count(*) as n from detail_packs").get()).toEqual({ n: 2 });
});

describe("what is damaged", () => {
  const detail = (sourceId: string, output: string): Detail => ({ sourceId, kind: "tool_output", at: 1, output });
  const spoil = (db: Database, turn: number) =>
    db.query("update detail_packs set details = x'28b52ffd2400' where turn_id = ?").run(turn);

  test("keeps its ids, and a word in place of each text", () => {
    using db = storeWithTurns();
    saveDetails(db, 1, [detail("a", "first"), detail("b", "second")], 0);
    spoil(db, 1);
    expect(unreadableTurns(db)).toEqual([1]);
    markUnreadable(db);
    expect(readDetails(db, 1).map(({ sourceId, output }) => `${sourceId} ${output}`)).toEqual([
      "a [lost: the database was damaged]",
      "b [lost: the database was damaged]",
    ]);
  });

  test.each(["own", "other"] as const)("gives way to what another store has of it (first: %s)", (first) => {
    using db = storeWithTurns();
    saveDetails(db, 1, [detail("a", "first"), detail("b", "second")], 0);
    db.run("create temp table kept as select * from main.detail_packs");
    spoil(db, 1);
    saveDetails(db, 1, [detail("c", "third")], 0);
    mergePacks(db, "temp.kept", "1", first);
    expect(readDetails(db, 1).map(({ sourceId, output }) => `${sourceId} ${output}`)).toEqual([
      "a first",
      "b second",
      "c third",
    ]);
  });
});
