import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catchUp } from "../../src/index/catch-up.ts";
import { candidatesFor, findTurns, type Search } from "../../src/index/find.ts";
import { parseQuery, type Query } from "../../src/search/query.ts";
import { saveAnswerOnly } from "../../src/store/answers.ts";
import { readCheckpoint, saveCheckpoint } from "../../src/store/checkpoints.ts";
import { textsOf } from "../../src/store/search.ts";
import { getSession, type Session } from "../../src/store/sessions.ts";
import { keepLine, textOfTurn } from "../../src/store/summaries.ts";
import { saveChanges } from "../../src/store/turns.ts";
import type { Change } from "../../src/types.ts";
import { type Random, scraps, seeded, seeds } from "../fixtures/random.ts";
import { makeSession, memoryStore, noon } from "../support/store.ts";

interface Scene {
  db: Database;
  file: string;
  sessions: Session[];
  [Symbol.dispose](): void;
}

function setScene(sessions = 3): Scene {
  const folder = mkdtempSync(join(tmpdir(), "throughline-index-"));
  const db = memoryStore();
  return {
    db,
    file: join(folder, "search.db"),
    sessions: Array.from({ length: sessions }, (_, n) => makeSession(db, `session-${n}`)),
    [Symbol.dispose]() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stores changes as a reading of the transcript does: with a checkpoint. */
function read({ db }: Scene, session: Session, changes: Change[]): void {
  db.transaction(() => {
    const before = readCheckpoint(db, session.id);
    saveChanges(db, session.id, changes, { now: noon, zoneOffset: 0 });
    const offset = (before?.offset ?? 0) + 1;
    saveCheckpoint(db, session.id, { path: "p", fileId: "f", offset, tail: "", reading: "", skipped: "{}" }, noon);
  })();
}

let ids = 0;
const say = (turn: string, said: string, printed?: string): Change => {
  ids += 1;
  const head = { uuid: turn, parentUuid: null, startedAt: noon + Number(turn.replace(/\D/g, "")) };
  const messages = [{ sourceId: `${turn}-${ids}`, role: "assistant" as const, at: noon + ids, text: said }];
  const details =
    printed === undefined
      ? []
      : [
          {
            sourceId: `t${ids}`,
            kind: "tool_input" as const,
            tool: "Bash",
            at: noon,
            input: JSON.stringify({ file_path: printed.slice(0, 30) }),
          },
          { sourceId: `t${ids}:result`, kind: "tool_output" as const, at: noon, output: printed },
        ];
  return { type: "turn", turn: { uuid: turn, head, messages, withdrawn: [], details } };
};

/** Enough for a block of its own. */
const filler = (seed: number): string => {
  const random = seeded(seed);
  return Array.from({ length: 3_000 }, () => random.int(0, 1e9).toString(36)).join("");
};

const idsOf = (scene: Scene, search: Search, isIndexed = true): number[] => {
  const turns = isIndexed ? candidatesFor(scene.db, scene.file, search).turns : undefined;
  return [...findTurns(scene.db, search, turns)].map(({ turnId }) => turnId);
};

const words = [
  ...scraps,
  "Straße ",
  "ΣΑΣ ",
  "İstanbul ",
  "ſharp ",
  "K9 ",
  "a\u0000b ",
  "ＦＵＬＬ ",
  "src/store/a-b.ts:12 ",
  "Error: x is not y\n",
];
const scrap = (random: Random) => random.text(words, random.int(1, random.pick([3, 40, 4_000])));

function someSearch(random: Random, scene: Scene): Search {
  const turns = scene.db.query<{ id: number }, []>("select id from turns").all();
  const term = (): string => {
    if (turns.length === 0 || random.int(0, 9) === 0) return random.text(words, 2).trim() || "x";
    const text = [...textsOf(scene.db, random.pick(turns).id, {})].map((one) => one.text).join("\n") || "nothing";
    const at = random.int(0, text.length - 1);
    return text.slice(at, at + random.int(2, random.pick([3, 8, 90])));
  };
  const terms = Array.from({ length: random.int(1, 2) }, term);
  const without = random.int(0, 4) === 0 ? [term()] : [];
  return {
    query: { terms, without },
    scope: random.pick([{}, {}, { kind: "said" }, { kind: "tools" }, { sessionId: 1 }]),
    file: random.int(0, 5) === 0 ? term() : undefined,
  };
}

test.each(seeds(25))(
  "whatever happened since it was written, the index finds what a scan finds (seed %d)",
  async (seed) => {
    using scene = setScene();
    const random = seeded(seed);
    const { db, sessions } = scene;
    const turn = () => `${random.int(0, 2)}-turn-${random.int(1, 30)}`;
    const things: (() => void | Promise<void>)[] = [
      () => read(scene, random.pick(sessions), [say(turn(), scrap(random), scrap(random))]),
      () => read(scene, random.pick(sessions), [say(turn(), scrap(random)), say(turn(), scrap(random))]),
      () => read(scene, random.pick(sessions), [{ type: "drop", uuid: turn() }]),
      () => read(scene, random.pick(sessions), [{ type: "merge", uuid: turn(), into: turn() }]),
      () =>
        saveAnswerOnly(db, random.pick(sessions), scrap(random), `${random.int(1, 5)}`, { now: noon, zoneOffset: 0 }),
      () => {
        const one = db.query<{ id: number }, []>("select id from turns order by random() limit 1").get();
        if (one) keepLine(db, { id: one.id, text: textOfTurn(db, one.id) }, scrap(random), "m", noon);
      },
      () => catchUp(db, scene.file),
    ];
    for (let n = 0; n < 60; n += 1) {
      await random.pick(things)();
      const search = someSearch(random, scene);
      expect([search, idsOf(scene, search)]).toEqual([search, idsOf(scene, search, false)]);
    }
  },
);

describe("an index that cannot be used is done without, and made anew", () => {
  const search: Search = { query: parseQuery("needle") as Query, scope: {} };
  const cases: [string, (file: string) => void][] = [
    ["not there", (file) => rmSync(file)],
    ["empty", (file) => truncateSync(file, 0)],
    ["cut off", (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ["no database", (file) => writeFileSync(file, "no database ".repeat(1_000))],
    [
      "a link",
      (file) => {
        rmSync(file);
        symlinkSync("/dev/null", file);
      },
    ],
  ];
  const asked = (scene: Scene) => {
    const { turns, unindexed } = candidatesFor(scene.db, scene.file, search);
    // A few others may have the same bits by chance.
    return [turns && { has: turns.has(7), isFew: turns.size < 10 }, unindexed];
  };
  test.each(cases)("%s", async (_, spoil) => {
    using scene = setScene();
    for (let n = 1; n <= 30; n += 1)
      read(scene, scene.sessions[0] as Session, [say(`a-${n}`, n === 7 ? `${filler(n)} a needle` : filler(n))]);
    await catchUp(scene.db, scene.file);
    const whole = statSync(scene.file).size;
    expect(idsOf(scene, search)).toEqual([7]);
    expect(asked(scene)).toEqual([{ has: true, isFew: true }, 0]);
    spoil(scene.file);
    expect(asked(scene)).toEqual([undefined, 30]);
    expect(idsOf(scene, search)).toEqual([7]);
    await catchUp(scene.db, scene.file);
    expect(statSync(scene.file).size).toBe(whole);
    expect(statSync(scene.file).mode & 0o777).toBe(0o600);
    expect(asked(scene)).toEqual([{ has: true, isFew: true }, 0]);
  });

  test("of another store", async () => {
    using scene = setScene();
    read(scene, scene.sessions[0] as Session, [say("a-1", "nothing")]);
    await catchUp(scene.db, scene.file);
    using other = setScene(0);
    const session = makeSession(other.db, "another");
    read(other, session, [say("a-1", "a needle")]);
    expect(idsOf({ ...other, file: scene.file }, search)).toEqual([1]);
  });

  test("ended within a step, it is gone on with; two at once do no harm", async () => {
    using scene = setScene();
    const random = seeded(3);
    for (let n = 1; n <= 400; n += 1)
      read(scene, random.pick(scene.sessions), [say(`a-${n}`, `x${n}y`, random.text(words, 8_000))]);
    const end = () => Promise.reject(new Error("ended"));
    await expect(catchUp(scene.db, scene.file, end)).rejects.toThrow("ended");
    const { unindexed } = candidatesFor(scene.db, scene.file, search);
    expect(unindexed).toBeWithin(1, 400);
    await Promise.all([
      catchUp(scene.db, scene.file, () => Bun.sleep(1)),
      catchUp(scene.db, scene.file, () => Bun.sleep(1)),
    ]);
    await catchUp(scene.db, scene.file);
    expect(candidatesFor(scene.db, scene.file, search).unindexed).toBe(0);
    for (const n of [1, 77, 400])
      expect(idsOf(scene, { query: { terms: [`x${n}y`], without: [] }, scope: {} })).toEqual([n]);
    expect(existsSync(`${scene.file}-journal`)).toBe(false);
    expect(getSession(scene.db, 1).id).toBe(1);
  });
});
