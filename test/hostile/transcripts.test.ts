import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { partLimit } from "../../src/context/parts.ts";
import { ingest } from "../../src/ingest.ts";
import { tellThread } from "../../src/restore.ts";
import { readCheckpoint } from "../../src/store/checkpoints.ts";
import { readMessages } from "../../src/store/messages.ts";
import { getSession } from "../../src/store/sessions.ts";
import { findTurnId } from "../../src/store/twins.ts";
import { toEntry } from "../../src/transcript/entry.ts";
import { parseLine } from "../../src/transcript/parse.ts";
import { type Random, seeded } from "../fixtures/random.ts";
import { dumpStore } from "../support/dump.ts";
import { tempHome } from "../support/home.ts";
import { makeSession, memoryStore, noon } from "../support/store.ts";
import { type HostileTranscript, makeTranscript } from "./transcripts.ts";

// The full run: HOSTILE_LINES=10000000. One that failed: HOSTILE_LINES=1 HOSTILE_SEED=<its seed>.
const wanted = Number(process.env.HOSTILE_LINES ?? 20_000);
const firstSeed = Number(process.env.HOSTILE_SEED ?? 1);
const transcriptsEach = 8;
const longest = 120;
/** Milliseconds for a transcript of some hundred lines, the largest of a few MB. */
const patience = 10_000;

test(`${wanted.toLocaleString("en")} hostile lines from seed ${firstSeed} on: nothing throws or hangs, what is whole is kept, what is skipped is counted`, () => {
  const started = performance.now();
  let lines = 0;
  for (let seed = firstSeed; lines < wanted; seed += 1) {
    try {
      lines += playSeed(seed);
    } catch (error) {
      throw new Error(`HOSTILE_LINES=1 HOSTILE_SEED=${seed}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
    if (process.env.HOSTILE_LINES && seed % 1_000 === 0) {
      const seconds = (performance.now() - started) / 1_000;
      process.stderr.write(`seed ${seed}: ${lines} lines, ${Math.round(lines / seconds)} a second\n`);
    }
  }
}, 86_400_000);

/** Some transcripts in one store, in which they share ids; each also by itself, read at once and in cuts. */
function playSeed(seed: number): number {
  const random = seeded(seed);
  using home = tempHome();
  using shared = memoryStore();
  let lines = 0;
  for (let n = 0; n < transcriptsEach; n += 1) {
    const name = `${seed}-${n}`;
    const transcript = makeTranscript(random, name, random.int(5, longest));
    lines += transcript.lines;
    const file = join(home.folder, `${name}.jsonl`);
    const began = performance.now();
    read(shared, name, file, [transcript.bytes]);
    const took = performance.now() - began;
    if (took > patience) throw new Error(`${transcript.bytes.length} bytes took ${took} ms`);
    expectCounted(shared, name, transcript);
    expectWitnesses(shared, transcript);
    expectTold(shared, name);
    expectSameInCuts(random, name, file, transcript);
  }
  expectWhole(shared);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  return lines;
}

function expectSameInCuts(random: Random, name: string, file: string, transcript: HostileTranscript): void {
  using once = memoryStore();
  using cut = memoryStore();
  read(once, name, file, [transcript.bytes]);
  read(cut, name, file, prefixes(random, transcript.bytes));
  expectWitnesses(cut, transcript);
  expect(skippedOf(cut, name)).toEqual(skippedOf(once, name));
  expect(dumpStore(cut)).toEqual(dumpStore(once));
  expectWhole(cut);
}

const expectWhole = (db: Database) =>
  expect(db.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });

const sessionOf = (db: Database, name: string): number => makeSession(db, name).id;

function read(db: Database, name: string, file: string, states: readonly Buffer[]): void {
  for (const state of states) {
    writeFileSync(file, state);
    ingest(db, sessionOf(db, name), file, { now: noon, zoneOffset: 60 });
  }
}

function prefixes(random: Random, bytes: Buffer): Buffer[] {
  const cuts = Array.from({ length: random.int(1, 6) }, () => random.int(0, bytes.length)).sort((a, b) => a - b);
  return [...cuts, bytes.length].map((at) => bytes.subarray(0, at));
}

function expectWitnesses(db: Database, { witnesses }: HostileTranscript): void {
  for (const { uuid, prompt, answer } of witnesses) {
    const said = readMessages(db, findTurnId(db, uuid) ?? 0).map(({ text }) => text);
    expect(said).toContain(prompt);
    expect(said).toContain(answer);
  }
}

const skippedOf = (db: Database, name: string): Record<string, number> =>
  JSON.parse(readCheckpoint(db, sessionOf(db, name))?.skipped ?? "{}");

/** Each piece of a line is an entry of a known kind, or it is counted under its reason. */
function expectCounted(db: Database, name: string, { bytes }: HostileTranscript): void {
  const counts = new Map<string, number>();
  const add = (reason: string, times: number): void => {
    if (times > 0) counts.set(reason, (counts.get(reason) ?? 0) + times);
  };
  for (const text of bytes.toString().split("\n")) {
    if (text.trim() === "") continue;
    const { lines, damaged } = parseLine(text);
    add("not JSON", damaged);
    for (const line of lines) {
      const entry = toEntry(line);
      if (entry.kind === "skipped") add(entry.reason, 1);
    }
  }
  expect(new Map(Object.entries(skippedOf(db, name)))).toEqual(counts);
}

function expectTold(db: Database, name: string): void {
  const options = { now: noon, until: Number.MAX_SAFE_INTEGER, parts: 8, language: "auto" as const };
  const telling = tellThread(db, getSession(db, sessionOf(db, name)), "exact", options);
  for (const { text } of telling?.parts ?? []) {
    expect(text.length).toBeLessThanOrEqual(partLimit);
    expect(text.isWellFormed()).toBe(true);
  }
}
