import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { ingest } from "../../src/ingest.ts";
import { eraseForgotten, eraseTurns } from "../../src/store/erase.ts";
import { findForgotten, isForgotten, saveTombstones, tombstonesOf } from "../../src/store/forgotten.ts";
import type { Reading } from "../../src/transcript/reading.ts";
import { withoutTurns } from "../../src/transcript/without-turns.ts";
import { type Random, seeded, seeds } from "../fixtures/random.ts";
import { tempHome } from "../support/home.ts";
import { ingestText, makeSession, memoryStore, noon } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const blank = (reading: string, uuids: ReadonlySet<string>): string =>
  JSON.stringify(withoutTurns(JSON.parse(reading) as Reading, uuids));

function forget(db: Database, ids: readonly number[]): void {
  const tombstones = ids.flatMap((id) => tombstonesOf(db, id));
  db.transaction(() => eraseTurns(db, ids, tombstones, blank)).immediate();
}

const texts = (db: Database): string[] =>
  db
    .query<{ text: string }, []>("select text from messages order by at, id")
    .all()
    .map(({ text }) => text);

/** Turns of three sessions, some of them answered in pieces; what is said names its turn. */
function write(random: Random, session: number): { text: string; turns: string[][] } {
  const builder = new TranscriptBuilder(`session-${session}`, noon + session * 3_600_000, 1_000, `${session}e`);
  const turns = Array.from({ length: random.int(1, 12) }, (_, n) => {
    const said = [`prompt ${session}.${n}`];
    builder.prompt(said[0]);
    for (let k = random.int(0, 3); k > 0; k -= 1) {
      builder.tool("Bash", { command: `${session}.${n}` }, `printed ${session}.${n}.${k}`);
      said.push(`answer ${session}.${n}.${k}`);
      builder.say(said.at(-1) as string);
    }
    return said;
  });
  return { text: builder.text, turns };
}

test.each(seeds(40))("what is forgotten stays away, in whatever cuts and order it is read again (seed %d)", (seed) => {
  using home = tempHome();
  const random = seeded(seed);
  const written = [0, 1, 2].map((session) => write(random, session));
  using db = memoryStore();
  const sessions = written.map((_, n) => makeSession(db, `session-${n}`));
  written.forEach(({ text }, n) => {
    const lines = text.split("\n");
    ingestText(db, sessions[n] as never, home.folder, lines.slice(0, random.int(1, lines.length)).join("\n"));
  });
  const stored = db.query<{ id: number; uuid: string }, []>("select id, uuid from turns").all();
  const gone = stored.filter(() => random.int(0, 2) === 0);
  const names = new Set(
    gone.map(
      ({ id }) =>
        (db.query("select text from messages where turn_id = ? order by id limit 1").get(id) as { text: string }).text,
    ),
  );
  forget(
    db,
    gone.map(({ id }) => id),
  );
  for (let n = 0; n < 4; n += 1) {
    const at = random.int(0, 2);
    if (random.int(0, 1) === 0)
      db.query("delete from checkpoints where session_id = ?").run((sessions[at] as { id: number }).id);
    ingestText(db, sessions[at] as never, home.folder, (written[at] as { text: string }).text);
  }
  sessions.forEach((session, n) => {
    ingestText(db, session, home.folder, (written[n] as { text: string }).text);
    ingest(db, session.id, `${home.folder}/${session.sessionId}.jsonl`, { now: noon, zoneOffset: 0 });
  });
  const left = written.flatMap(({ turns }) => turns.filter(([prompt]) => !names.has(prompt as string)).flat());
  expect(texts(db).toSorted()).toEqual(left.toSorted());
  expect(findForgotten(db)).toEqual([]);
  expect(db.query("pragma foreign_key_check").all()).toEqual([]);
});

test("a store in which they are is rid of them: such as a backup", () => {
  using home = tempHome();
  using db = memoryStore();
  using other = memoryStore();
  const builder = new TranscriptBuilder("s");
  for (const n of [1, 2, 3]) {
    builder.prompt(`prompt ${n}`);
    builder.say(`answer ${n}`);
  }
  for (const store of [db, other]) ingestText(store, makeSession(store, "s"), home.folder, builder.text);
  const tombstones = tombstonesOf(db, 2);
  forget(db, [2]);
  saveTombstones(other, tombstones);
  expect(eraseForgotten(other, blank)).toBe(1);
  expect(texts(other)).toEqual(texts(db));
  expect(eraseForgotten(other, blank)).toBe(0);
});

test("a fork's copy of a forgotten turn is one, another turn of the same time is none", () => {
  using home = tempHome();
  using db = memoryStore();
  const builder = new TranscriptBuilder("s");
  const uuid = builder.prompt("the prompt");
  ingestText(db, makeSession(db, "s"), home.folder, builder.text);
  const { startedAt } = db.query("select started_at as startedAt from turns").get() as { startedAt: number };
  forget(db, [1]);
  expect(isForgotten(db, { uuid, startedAt: 5, prompt: "?" })).toBe(true);
  expect(isForgotten(db, { uuid: "copy", startedAt, prompt: "the prompt" })).toBe(true);
  expect(isForgotten(db, { uuid: "copy", startedAt, prompt: "another prompt" })).toBe(false);
  expect(isForgotten(db, { uuid: "copy", startedAt: startedAt + 1, prompt: "the prompt" })).toBe(false);
});

test("what the earlier program says of a forgotten turn's time stays away, and the other way round", () => {
  using home = tempHome();
  using db = memoryStore();
  const session = makeSession(db, "s");
  const builder = new TranscriptBuilder("s");
  builder.prompt("one");
  builder.say("1");
  ingestText(db, session, home.folder, builder.text);
  const { startedAt } = db.query("select started_at as startedAt from turns").get() as { startedAt: number };
  forget(db, [1]);
  expect(isForgotten(db, { uuid: "earlier:x", startedAt: startedAt + 500 }, session.id)).toBe(true);
  expect(isForgotten(db, { uuid: "earlier:x", startedAt: startedAt + 500_000 }, session.id)).toBe(false);
  // A new turn of a live session is none, however soon it comes.
  expect(isForgotten(db, { uuid: "new", startedAt: startedAt + 500 }, session.id)).toBe(false);
});
