import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { parseLine } from "../../src/transcript/parse.ts";
import { growth, mostGrowth } from "../fixtures/growth.ts";
import { type Random, seeded, seeds } from "../fixtures/random.ts";
import { dumpStore } from "../support/dump.ts";
import { tempHome } from "../support/home.ts";
import { ingestText, makeSession, memoryStore } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const newline = 10;

/** Four turns, each a prompt, a call with its result and an answer; every text is its own. */
function talk(): string[] {
  const t = new TranscriptBuilder();
  for (let n = 1; n <= 4; n += 1) {
    t.prompt(`question ${n} 認証`);
    t.answer({ type: "text", text: `I look at ${n}` });
    t.tool("Bash", { command: `cat ${n}` }, `content of ${n} 👍🏽`);
    t.say(`answer ${n}`);
  }
  return t.lines;
}

const lines = talk();
const promptIndex = (n: number): number => n - (n % (lines.length / 4));
const promptOf = (n: number): string => lines[promptIndex(n)] as string;

interface Dumped {
  turns: { uuid: string; messages: { sourceId: string }[]; details: { sourceId: string }[] }[];
}

/** Everything that is stored, message by message and detail by detail, each with its turn. */
function piecesOf(db: Database): string[] {
  const { turns } = dumpStore(db) as Dumped;
  return turns.flatMap(({ uuid, messages, details }) =>
    [...messages, ...details].map((piece) => `${uuid} ${JSON.stringify(piece)}`),
  );
}

function store(content: string | Uint8Array): string[] {
  using home = tempHome();
  using db = memoryStore();
  ingestText(db, makeSession(db, "s"), home.folder, content);
  return piecesOf(db);
}

const join = (parts: readonly (string | Uint8Array)[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)));
const ended = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

/** Per line, what it says: what is stored of it and its turn's prompt, without what is stored of the prompt alone. */
const said: readonly string[][] = lines.map((line, n) => {
  const prompt = promptOf(n);
  const alone = store(ended([prompt]));
  return line === prompt ? alone : store(ended([prompt, line])).filter((piece) => !alone.includes(piece));
});

/** Every line that is whole in the damaged bytes, whose turn's prompt line is whole too, says what it always says. */
function expectIntactLines(damaged: Buffer, whole: ReadonlySet<number>): void {
  const stored = new Set(store(damaged));
  const lost = [...whole].flatMap((n) =>
    whole.has(promptIndex(n)) ? (said[n] as string[]).filter((piece) => !stored.has(piece)) : [],
  );
  expect(lost).toEqual([]);
}

/** The lines that stand in the bytes as they were, each between two line ends. */
function intact(damaged: Buffer): Set<number> {
  const found = new Set<string>();
  let from = 0;
  for (let end = damaged.indexOf(newline); end !== -1; end = damaged.indexOf(newline, from)) {
    found.add(damaged.toString("utf8", from, end));
    from = end + 1;
  }
  return new Set(lines.flatMap((line, n) => (found.has(line) ? [n] : [])));
}

const all: ReadonlySet<number> = new Set(lines.keys());
const bytes = Buffer.from(ended(lines));

const damages: readonly [string, (random: Random) => Buffer][] = [
  [
    "flipped bytes",
    (random) => {
      const damaged = Buffer.from(bytes);
      for (let hit = 0; hit < 4; hit += 1) {
        const at = random.int(0, damaged.length - 1);
        damaged[at] = (damaged[at] as number) ^ random.int(1, 255);
      }
      return damaged;
    },
  ],
  [
    "deleted bytes",
    (random) => {
      const at = random.int(0, bytes.length - 1);
      return join([bytes.subarray(0, at), bytes.subarray(at + random.int(1, 400))]);
    },
  ],
  [
    "inserted bytes",
    (random) => {
      const at = random.int(0, bytes.length);
      const garbage = Uint8Array.from({ length: random.int(1, 60) }, () => random.int(0, 255));
      return join([bytes.subarray(0, at), garbage, bytes.subarray(at)]);
    },
  ],
  ["a cut at any byte", (random) => Buffer.from(bytes.subarray(0, random.int(0, bytes.length)))],
  [
    "a stretch of NULs, as after a crash of the machine",
    (random) => {
      const at = random.int(0, bytes.length - 1);
      return Buffer.from(bytes).fill(0, at, Math.min(bytes.length, at + random.int(1, 500)));
    },
  ],
  [
    "a line twice",
    (random) => {
      const at = random.int(0, lines.length - 1);
      return join([ended(lines.slice(0, at + 1)), ended(lines.slice(at))]);
    },
  ],
];

describe.each(damages)("%s", (_, damage) => {
  test("never throws, and every line that is intact says what it says", () => {
    for (const seed of seeds(60)) {
      const damaged = damage(seeded(seed));
      expectIntactLines(damaged, intact(damaged));
    }
  });
});

/** Nothing is lost here: every line is whole, only what stands between them differs. */
const harmless: readonly [string, (random: Random) => Buffer][] = [
  ["the line ends of Windows", () => join(lines.map((line) => `${line}\r\n`))],
  ["a byte order mark at the start", () => join(["\ufeff", bytes])],
  [
    "line ends of both kinds and blank lines",
    (random) => join(lines.map((line) => `${line}${random.text(["\n", "\r\n"], random.int(1, 3))}\n`)),
  ],
  [
    "two objects on one line",
    (random) => {
      const at = random.int(0, lines.length - 2);
      return join([ended(lines.slice(0, at)), lines[at] as string, ended(lines.slice(at + 1))]);
    },
  ],
  [
    "two objects on one line with a blank between them",
    (random) => {
      const at = random.int(0, lines.length - 2);
      return join([ended(lines.slice(0, at)), lines[at] as string, " ", ended(lines.slice(at + 1))]);
    },
  ],
  ["all objects on one line", () => join([lines.join(""), "\n"])],
  [
    "NULs before a line, as after a crash of the machine",
    (random) => {
      const at = random.int(0, lines.length - 1);
      return join([ended(lines.slice(0, at)), new Uint8Array(random.int(1, 5_000)), ended(lines.slice(at))]);
    },
  ],
  [
    "NULs behind a line",
    (random) => {
      const at = random.int(0, lines.length - 1);
      const nuls = new Uint8Array(random.int(1, 5_000));
      return join([ended(lines.slice(0, at)), lines[at] as string, nuls, "\n", ended(lines.slice(at + 1))]);
    },
  ],
  ["NULs at the end", (random) => join([bytes, new Uint8Array(random.int(1, 5_000)), "\n"])],
  [
    "half a line on a line of its own, as after a crash of the client",
    (random) => {
      const at = random.int(1, lines.length - 1);
      const half = Buffer.from(lines[at] as string).subarray(0, random.int(1, 40));
      return join([ended(lines.slice(0, at)), half, "\n", ended(lines.slice(at))]);
    },
  ],
];

test.each(harmless)("with %s the store is as without it", (_, damage) => {
  const expected = store(bytes);
  for (const seed of seeds(20)) {
    const damaged = damage(seeded(seed));
    expectIntactLines(damaged, all);
    expect(store(damaged)).toEqual(expected);
  }
});

test("a damaged transcript read in pieces gives the same store as read once", () => {
  for (const seed of seeds(60)) {
    const random = seeded(seed);
    const damaged = random.pick([...damages, ...harmless])[1](random);
    using home = tempHome();
    using db = memoryStore();
    const session = makeSession(db, "s");
    for (const cut of [random.int(0, damaged.length), damaged.length]) {
      ingestText(db, session, home.folder, damaged.subarray(0, cut));
    }
    expect(piecesOf(db)).toEqual(store(damaged));
  }
});

test.each([
  ["a deep nest of lists", "[".repeat(1_000_000)],
  ["a deep nest of objects", '{"type":'.repeat(1_000_000)],
  ["a long string and a second object", `{"type":"mode","mode":"${"x\\n".repeat(3_000_000)}"}{"type":"mode"}`],
  ["quotes alone", '"'.repeat(2_000_001)],
])("%s on a line of its own is survived", (_, line) => {
  expect(store(join([ended(lines.slice(0, 3)), line, "\n", ended(lines.slice(3))]))).toEqual(store(bytes));
});

test("a line that breaks off within a text full of quotes costs as much as it is long", () => {
  const torn = (length: number): string => `{"type":"user","text":"${'\\"'.repeat(length / 2)}`;
  expect(growth(parseLine, torn)).toBeLessThan(mostGrowth);
});
