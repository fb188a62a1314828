import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Random, seeded } from "../fixtures/random.ts";
import { promptsTold, Window } from "../support/claude.ts";
import { dumpStore } from "../support/dump.ts";
import { openFile } from "../support/exported.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { importPaths, linksOf } from "../support/imported.ts";
import { memoryStore } from "../support/store.ts";
import type { TranscriptBuilder } from "../support/transcript.ts";

/** Appends what the client writes without any hook being called. */
function write(window: Window, build: (transcript: TranscriptBuilder) => void): void {
  const before = window.transcript.lines.length;
  build(window.transcript);
  appendFileSync(
    window.file,
    window.transcript.lines
      .slice(before)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

/** `/clear` as the client does it: the new session's file begins with the command. */
async function clear(window: Window, session: string): Promise<void> {
  await window.clear(session);
  write(window, (t) => {
    t.prompt("<local-command-caveat>not sent to you</local-command-caveat>", { isMeta: true });
    t.prompt(
      "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
    );
  });
}

// Turns are unlike each other in every way that a reader could lose.
async function talk(window: Window, random: Random, say: string): Promise<void> {
  const kind = random.int(0, 5);
  if (kind === 0) write(window, (t) => t.tool("Bash", { command: "cat log" }, random.text(["row ", "行 "], 300)));
  if (kind === 1) {
    write(window, (t) => {
      const end = t.last;
      t.prompt(`left: ${say}`);
      t.say("an answer that was left");
      t.backTo(end);
    });
  }
  if (kind === 2) {
    write(window, (t) => {
      t.prompt(`interrupted: ${say}`);
      t.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
    });
  }
  if (kind === 3) write(window, (t) => t.raw('{"type":"hologram"}').raw("{ broken"));
  await window.turn(say);
}

async function live(home: TempHome, random: Random): Promise<string[]> {
  const windows = [100, 200].slice(0, random.int(1, 2)).map((pid) => new Window(home, pid));
  const files = new Set<string>();
  let sessions = 0;
  for (const window of windows) await window.start(`s${sessions++}`, "startup");
  for (let n = 0; n < 14; n += 1) {
    const window = random.pick(windows);
    if (random.int(0, 3) === 0 && existsSync(window.file)) await clear(window, `s${sessions++}`);
    else await talk(window, random, `question ${n}`);
    files.add(window.file);
  }
  // What came after the last event is read at the end.
  for (const window of windows) await window.end("other");
  return [...files].filter((file) => existsSync(file));
}

test("imported in any order, in parts or twice, transcripts give the store that hooks captured live", async () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    using home = tempHome();
    const random = seeded(seed);
    const files = await live(home, random);
    using captured = openFile(home);
    const expected = dumpStore(captured);
    const folder = join(home.folder, "client/projects/p");
    mkdirSync(folder, { recursive: true });
    const moved = files.map((file) => {
      renameSync(file, join(folder, basename(file)));
      return join(folder, basename(file));
    });
    using whole = memoryStore();
    await importPaths(whole, home, join(home.folder, "client"));
    expect(dumpStore(whole)).toEqual(expected);
    using parts = memoryStore();
    for (const file of moved.toSorted(() => random.int(-1, 1))) await importPaths(parts, home, file);
    expect(dumpStore(parts)).toEqual(expected);
    expect(linksOf(parts)).toEqual(linksOf(whole));
    await importPaths(parts, home, ...moved.toReversed());
    expect(dumpStore(parts)).toEqual(expected);
    expect(linksOf(parts)).toEqual(linksOf(whole));
  }
});

test("after one window's clears the inferred links are those that its hooks knew, and a live session continues the last", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("s0", "startup");
  await window.turn("zero");
  for (const n of [1, 2, 3]) {
    await clear(window, `s${n}`);
    await window.turn(`${n}`);
  }
  await clear(window, "s4");
  await clear(window, "s5");
  await window.turn("a clean start");
  using captured = openFile(home);
  using db = memoryStore();
  await importPaths(db, home, home.folder);
  const known = linksOf(captured).filter((link) => !link.startsWith("s4"));
  expect(linksOf(db)).toEqual(known.map((link) => link.replace("(exact)", "(inferred)")));
  expect(known).toEqual(["s1 ← s0 (exact)", "s2 ← s1 (exact)", "s3 ← s2 (exact)"]);

  await importPaths(captured, home, home.folder);
  expect(linksOf(captured).filter((link) => !link.startsWith("s4"))).toEqual(known);
});

test("what was imported is what the next session of the project continues", async () => {
  using home = tempHome();
  using other = tempHome();
  const window = new Window(home, 100);
  await window.start("s0", "startup");
  await window.turn("before the clear");
  await clear(window, "s1");
  await window.turn("after the clear");
  for (const session of ["s0", "s1"]) {
    const text = readFileSync(join(home.folder, `${session}.jsonl`), "utf8");
    writeFileSync(join(other.folder, `${session}.jsonl`), text.replaceAll("/home/dev/project", other.project));
  }
  {
    using db = openFile(other);
    await importPaths(db, other, other.folder);
  }
  expect(promptsTold(await new Window(other, 300).start("live", "startup"))).toEqual([
    "before the clear",
    "after the clear",
  ]);
});
