import { expect, test } from "bun:test";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readComparable } from "../../src/store/earlier-turns.ts";
import { exportSessions, exportTurns } from "../../src/store/export.ts";
import { walkThread } from "../../src/store/lineage.ts";
import { findSession, type Session } from "../../src/store/sessions.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { bytesOf, exportSorted, importPaths, linksOf } from "../support/imported.ts";
import { memoryStore } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const versions = [3, 4, 5, 7, 9];
const samples = join(import.meta.dir, "../fixtures/legacy");
const ids = {
  a: "aaaaaaaa-0000-4000-8000-000000000001",
  b: "bbbbbbbb-0000-4000-8000-000000000002",
  c: "cccccccc-0000-4000-8000-000000000003",
  d: "dddddddd-0000-4000-8000-000000000004",
};

/** A sample's copy, and where it lies. */
function sample(home: TempHome, version: number): { file: string; folder: string } {
  const folder = join(home.folder, `earlier ${version} 設計`);
  cpSync(join(samples, `v${version}.db`), join(folder, "throughline.db"));
  return { folder, file: join(folder, "throughline.db") };
}

const turnsOf = (db: ReturnType<typeof memoryStore>, id: string) => [
  ...exportTurns(db, { row: (findSession(db, id) as Session).id, id }),
];

test.each(versions)(
  "version %p: every turn in its session, the sessions one thread, the file untouched, twice is once",
  async (version) => {
    using home = tempHome();
    using db = memoryStore();
    const { file, folder } = sample(home, version);
    const before = bytesOf(file);
    const outcome = await importPaths(db, home, file);
    expect(outcome).toMatchObject({ newSessions: 4, newTurns: 10 });
    expect(Object.values(ids).map((id) => turnsOf(db, id).length)).toEqual([4, 3, 2, 1]);
    expect(linksOf(db)).toEqual([`${ids.b} ← ${ids.a} (heuristic)`, `${ids.c} ← ${ids.b} (heuristic)`]);
    const last = findSession(db, ids.c) as Session;
    expect([...walkThread(db, last)]).toHaveLength(9);
    expect(last).toMatchObject({ inheritedTurns: 7, endReason: "imported" });
    expect(Object.fromEntries(exportSessions(db, "all").map(({ id, project }) => [id, project]))).toEqual({
      [ids.a]: "/home/dev/設計/shop",
      [ids.b]: "/home/dev/設計/shop",
      [ids.c]: "/home/dev/設計/shop",
      [ids.d]: "/home/dev/other",
    });

    const first = turnsOf(db, ids.a)[0];
    expect(first?.summary).toBe("要約 1: 注文画面の不具合を調べ、原因は税計算の丸めと判明。");
    expect(first?.prompt).toEqual(version === 3 ? [] : ["質問 1: 注文画面の合計が 1 円ずれる 🚀"]);
    expect(first?.answer).toHaveLength(version === 3 ? 0 : 1);
    expect(first?.details.map(({ kind, tool }) => [kind, tool])).toEqual([
      ["tool_input", "Bash"],
      ["tool_output", null],
    ]);
    const midTurn = turnsOf(db, ids.a)[3]?.details.at(-1);
    expect(midTurn).toMatchObject({ kind: "tool_input", tool: "Read" });

    const stored = exportSorted(db);
    expect(await importPaths(db, home, file)).toMatchObject({ newSessions: 0, newTurns: 0 });
    expect(exportSorted(db)).toEqual(stored);
    expect(bytesOf(file)).toBe(before);
    expect(readdirSync(folder)).toEqual(["throughline.db"]);
  },
);

test("all versions one after the other are one history", async () => {
  using home = tempHome();
  using db = memoryStore();
  for (const version of versions) await importPaths(db, home, sample(home, version).file);
  const turns = Object.values(ids).flatMap((id) => turnsOf(db, id));
  expect(turns).toHaveLength(10);
  for (const turn of turns) {
    expect(turn.prompt).toHaveLength(1);
    expect(turn.answer).toHaveLength(1);
    expect(turn.details.length).toBeLessThanOrEqual(3);
  }
});

/** The transcript of session A as the client would have it: the same prompts at the same times, or earlier by so much. */
function transcriptOfA(home: TempHome, early: number): string {
  const transcript = new TranscriptBuilder(ids.a, 0, 1_000, "a");
  for (const n of [1, 2, 3, 4]) {
    transcript.prompt(`質問 ${n}: 注文画面の合計が 1 円ずれる 🚀`);
    transcript.say(`回答 ${n}, word for word`);
  }
  const file = join(home.folder, `${ids.a}.jsonl`);
  const timed = transcript.lines.map((line, n) => {
    const at = 1776144045000 - early + 45_000 * Math.floor(n / 2) + 1_000 * (n % 2);
    return `${JSON.stringify({ ...JSON.parse(line), timestamp: new Date(at).toISOString() })}\n`;
  });
  writeFileSync(file, timed.join(""));
  return file;
}

test.each([
  ["at the same times", 0, 9],
  ["a little earlier", 20_000, 9],
  ["at the same times, lines only", 0, 3],
  ["a little earlier, lines only", 20_000, 3],
])("turns that a transcript has too are not doubled, whichever is read first: %s", async (_, early, version) => {
  using home = tempHome();
  const { file } = sample(home, version);
  const transcript = transcriptOfA(home, early);
  for (const order of [
    [file, transcript],
    [transcript, file],
    [file, transcript, file, transcript],
  ]) {
    using db = memoryStore();
    for (const path of order) await importPaths(db, home, path);
    const session = findSession(db, ids.a) as Session;
    const turns = turnsOf(db, ids.a);
    expect(readComparable(db, session.id).map(({ uuid }) => uuid.slice(0, 8))).toEqual([
      "a0000001",
      "a0000003",
      "a0000005",
      "a0000007",
    ]);
    expect(turns.map(({ answer }) => answer)).toEqual([1, 2, 3, 4].map((n) => [`回答 ${n}, word for word`]));
    expect(turns.map(({ prompt }) => prompt.length)).toEqual([1, 1, 1, 1]);
    expect(turns.map(({ summary }) => summary?.slice(0, 5))).toEqual(["要約 1:", "要約 2:", "要約 3:", "要約 4:"]);
  }
});

test("what the transcript no longer has stays, in its place", async () => {
  using home = tempHome();
  using db = memoryStore();
  const file = transcriptOfA(home, 0);
  const lines = (await Bun.file(file).text()).split("\n");
  writeFileSync(file, lines.slice(4).join("\n"));
  await importPaths(db, home, file);
  await importPaths(db, home, sample(home, 9).file);
  expect(turnsOf(db, ids.a).map(({ prompt }) => prompt[0]?.slice(0, 4))).toEqual([
    "質問 1",
    "質問 2",
    "質問 3",
    "質問 4",
  ]);
});

test("a database that is none of these is refused by name", async () => {
  using home = tempHome();
  using db = memoryStore();
  const file = join(home.folder, "other.db");
  db.run(`vacuum into '${file}'`);
  expect(importPaths(db, home, file)).rejects.toThrow("have 3 to 9");
});
