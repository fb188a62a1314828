import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tellThread } from "../../src/restore.ts";
import { getSession } from "../../src/store/sessions.ts";
import { findTurnId } from "../../src/store/twins.ts";
import { seeded, seeds } from "../fixtures/random.ts";
import { dumpStore } from "../support/dump.ts";
import { tempHome } from "../support/home.ts";
import { exportLines, importLines, importPaths } from "../support/imported.ts";
import { ingestText, makeSession, memoryStore, noon } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { mutate } from "./mutate.ts";
import { makeTranscript } from "./transcripts.ts";

/** Everything that is stored can be told. */
function expectTellable(db: ReturnType<typeof memoryStore>): void {
  const options = { now: noon, until: Number.MAX_SAFE_INTEGER, parts: 8, language: "auto" as const };
  for (const { id } of db.query<{ id: number }, []>("select id from sessions").all()) {
    tellThread(db, getSession(db, id), "exact", options);
  }
  expect(dumpStore(db)).toBeDefined();
  expect(db.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(db.query("pragma foreign_key_check").all()).toEqual([]);
}

test.each(seeds(20))(
  "seed %i: a folder of hostile transcripts is imported, and what is whole in them is stored",
  async (seed) => {
    const random = seeded(seed);
    using home = tempHome();
    using db = memoryStore();
    const folder = join(home.folder, ".claude/projects/-work");
    mkdirSync(folder, { recursive: true });
    const files = Array.from({ length: 6 }, (_, n) => {
      const name = `${seed}${n}000000-0000-4000-8000-000000000000`.slice(-36);
      const head = new TranscriptBuilder(name, noon, 1_000, `h${seed}-${n}-`);
      head.prompt("begin");
      head.say("begun");
      const transcript = makeTranscript(random, `${seed}-${n}`, 40);
      writeFileSync(join(folder, `${name}.jsonl`), Buffer.concat([Buffer.from(head.text), transcript.bytes]));
      return transcript;
    });
    await importPaths(db, home);
    for (const { uuid } of files.flatMap(({ witnesses }) => witnesses)) expect(findTurnId(db, uuid)).toBeDefined();
    expectTellable(db);
  },
);

test.each(seeds(20))(
  "seed %i: an export with hostile lines is imported; each is taken, left out or told by its number",
  async (seed) => {
    const random = seeded(seed);
    using home = tempHome();
    using source = memoryStore();
    const transcript = new TranscriptBuilder("s1");
    for (let n = 0; n < 5; n += 1) {
      transcript.prompt(`question ${n}`);
      transcript.tool("Bash", { command: "ls" }, "x");
      transcript.say(`answer ${n}`);
    }
    ingestText(source, makeSession(source, "s1"), home.folder, transcript.text);
    const [first = "", ...rest] = exportLines(source);
    for (let n = 0; n < 40; n += 1) {
      const lines = rest.flatMap((line) =>
        random.int(1, 2) === 1 ? [line] : [mutate(random, JSON.parse(line)), line],
      );
      using db = memoryStore();
      await importLines(db, home, [first, ...lines]);
      expectTellable(db);
    }
  },
);
