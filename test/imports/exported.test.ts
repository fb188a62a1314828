import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSession, type Session } from "../../src/store/sessions.ts";
import { seeded } from "../fixtures/random.ts";
import { Window } from "../support/claude.ts";
import { fillStore, openFile } from "../support/exported.ts";
import { tempHome } from "../support/home.ts";
import { exportLines, exportSorted, importLines, importPaths, linksOf } from "../support/imported.ts";
import { ingestText, makeSession, memoryStore } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

/** Everything that an export says but where a session's file lies, which is each machine's own. */
const content = (db: Database): string[] =>
  exportSorted(db).map((line) => line.replace(/"transcript":("[^"]*"|null)/, ""));

test("an export into an empty store gives the same store; twice, and both ways, too", async () => {
  using home = tempHome();
  await fillStore(home);
  using one = openFile(home);
  using two = memoryStore();
  const stored = exportSorted(one);
  expect(await importLines(two, home, exportLines(one))).toMatchObject({ badLines: [] });
  expect(exportSorted(two)).toEqual(stored);
  expect(linksOf(two)).toEqual(linksOf(one));
  const second = findSession(two, "second") as Session;
  expect(second.inheritedTurns).toBe((findSession(one, "second") as Session).inheritedTurns);
  await importLines(two, home, exportLines(one));
  await importLines(one, home, exportLines(two));
  expect([exportSorted(one), exportSorted(two)]).toEqual([stored, stored]);
});

test("two machines that know different parts of the same, in any order, come to the same", async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    using home = tempHome();
    using one = memoryStore();
    using two = memoryStore();
    const random = seeded(seed);
    for (const name of ["x", "y", "z"]) {
      const transcript = new TranscriptBuilder(name, Date.UTC(2026, 10, 30, 13), 1_000, `${name}-`);
      for (let n = 0; n < 5; n += 1) {
        const before = transcript.last;
        transcript.prompt(`${name} ${n}`);
        if (random.int(0, 2) > 0) transcript.tool("Bash", { command: "ls" }, "output ".repeat(random.int(1, 90)));
        transcript.say(`answer ${n}`);
        if (random.int(0, 3) === 0) transcript.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
        if (random.int(0, 4) === 0) transcript.backTo(before);
      }
      for (const db of [one, two]) {
        const lines = transcript.lines.slice(0, random.int(1, transcript.lines.length));
        const at = Date.UTC(2026, 10, 30, 12) + lines.length;
        const session = makeSession(db, name, { at });
        ingestText(db, session, home.folder, lines.map((line) => `${line}\n`).join(""));
      }
    }
    one.run("insert into summaries select id, 'of one', null, 5 from turns where id % 2 = 1");
    two.run("insert into summaries select id, 'of the other', null, 5 from turns");
    const [fromOne, fromTwo] = [exportLines(one), exportLines(two)];
    await importLines(two, home, fromOne);
    await importLines(one, home, fromTwo);
    expect(content(two)).toEqual(content(one));
    const stored = content(one);
    await importLines(two, home, exportLines(one));
    await importLines(one, home, exportLines(two));
    expect([content(one), content(two)]).toEqual([stored, stored]);
  }
});

test("a stronger link replaces a weaker one, on both sides", async () => {
  using home = tempHome();
  using one = memoryStore();
  using two = memoryStore();
  for (const db of [one, two]) for (const name of ["a", "b", "c"]) makeSession(db, name);
  const link = (db: Database, from: string, to: string, reason: string) =>
    db.run(
      `update sessions set predecessor_id = (select id from sessions where uuid = '${to}'), link_reason = '${reason}',
       linked_at = 1 where uuid = '${from}'`,
    );
  link(one, "b", "a", "inferred");
  link(two, "b", "c", "heuristic");
  link(two, "c", "a", "exact");
  two.run("update sessions set link_reason = 'hand', linked_at = 7 where uuid = 'a'");
  await importLines(two, home, exportLines(one));
  await importLines(one, home, exportLines(two));
  for (const db of [one, two]) {
    expect(linksOf(db)).toEqual(["a ← null (hand)", "b ← c (heuristic)", "c ← a (exact)"]);
  }
});

test("an export, then the transcripts it came from: nothing twice, and the reading goes on", async () => {
  using home = tempHome();
  using other = tempHome();
  const window = new Window(home, 100);
  await window.start("first", "startup");
  await window.turn("one");
  await window.turn("two");
  using one = openFile(home);
  using two = memoryStore();
  await importLines(two, other, exportLines(one));
  await window.turn("three");
  await importPaths(two, other, window.file);
  const turns = (db: Database) => exportSorted(db).filter((line) => line.startsWith('{"type":"turn"'));
  expect(turns(two)).toEqual(turns(one));
});

test("bad lines are counted and named by their number, the others are stored; unknown types are passed over", async () => {
  using home = tempHome();
  await fillStore(home);
  using one = openFile(home);
  using two = memoryStore();
  const lines = exportLines(one);
  const broken = [
    ...lines.slice(0, 2),
    "{ broken",
    '{"type":"hologram"}',
    "42",
    lines[2]?.replace(/"started_at":\d+/, '"started_at":"soon"') as string,
    lines[2]?.replace('"session":"first"', '"session":"nobody"') as string,
    "",
    ...lines.slice(2),
  ];
  const { badLines, skipped } = await importLines(two, home, broken);
  expect(badLines).toEqual([
    "an export, line 3: not JSON",
    "an export, line 5: no type",
    expect.stringContaining("an export, line 6: started_at: "),
    "an export, line 7: it is no turn of the session before it: nobody",
  ]);
  expect([...skipped]).toEqual([["bad lines of an export", 4]]);
  expect(exportSorted(two)).toEqual(exportSorted(one));
});

test.each([
  [['{"type":"export","version":2}'], "format version 2; this Throughline reads version 1: update it"],
  [['{"type":"session"}'], "its first line says no version"],
  [["hello"], "its first line says no version"],
])("%j is refused", async (lines, why) => {
  using home = tempHome();
  using db = memoryStore();
  expect(importLines(db, home, lines)).rejects.toThrow(why);
});

test("a file is an export by its first line, whatever it is called", async () => {
  using home = tempHome();
  await fillStore(home);
  using one = openFile(home);
  using two = memoryStore();
  const file = join(home.folder, "kept.txt");
  writeFileSync(file, `${exportLines(one).join("\n")}`);
  expect(await importPaths(two, home, file)).toMatchObject({ newSessions: 3, newTurns: 6 });
  expect(exportSorted(two)).toEqual(exportSorted(one));
});
