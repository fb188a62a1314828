import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ingest } from "../../src/ingest.ts";
import { readCheckpoint } from "../../src/store/checkpoints.ts";
import type { DetailKind } from "../../src/types.ts";
import { allDetails } from "../support/details.ts";
import { dumpStore } from "../support/dump.ts";
import { tempHome } from "../support/home.ts";
import { ingestText, makeSession, memoryStore, noon } from "../support/store.ts";

// Real transcripts of many client versions with every word scrambled; large ones are cut at line borders. `lab-` are
// those that the client 2.1.332 wrote in the end-to-end tests, without what it tells itself.
const folder = join(import.meta.dir, "../fixtures/transcripts");
const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
const fileOf = (name: string): string => join(folder, `${name}.jsonl`);

/** How much of what a store holds. A turn that was left counts as a turn too. */
interface Counts {
  turns: number;
  /** What the person said: prompts, text beside a tool result, reasons, answers to questions. */
  prompts: number;
  answers: number;
  inputs: number;
  outputs: number;
  images: number;
  system: number;
  interrupted: number;
  left: number;
  skipped: Record<string, number>;
}

/** By file: what it shows, and how much it holds of what is not nothing. */
const rows: readonly [string, string, Partial<Counts>][] = [
  ["api-error-message", "an API error is a notice, no answer", { turns: 1, prompts: 1, system: 1 }],
  ["api_error-retry", "retries are nothing", { turns: 1, prompts: 1, system: 1, interrupted: 1 }],
  [
    "away_summary",
    "a recap and a named file are notices",
    { turns: 2, prompts: 2, answers: 2, inputs: 1, outputs: 1, system: 2 },
  ],
  ["bash-mode", "a shell command before any prompt", { turns: 2, prompts: 2, answers: 1, inputs: 2, outputs: 2 }],
  [
    "compact_boundary",
    "a compaction; each prompt went through the queue, in a spelling of its own, and counts once",
    { turns: 3, prompts: 3, answers: 1, system: 14 },
  ],
  ["cyrillic", "another script; a slash command that nothing answers", { turns: 2, prompts: 2, answers: 2, system: 1 }],
  ["dup-uuid", "a prompt twice under one uuid", { turns: 5, prompts: 5, answers: 4, inputs: 11, outputs: 9 }],
  [
    "entry-claude-vscode",
    "a prompt behind an IDE's block",
    { turns: 1, prompts: 1, answers: 1, inputs: 1, outputs: 1, system: 1 },
  ],
  ["entry-sdk-ts", "the prompt of a program", { turns: 1, prompts: 1, answers: 4, inputs: 11, outputs: 8 }],
  ["ide-context", "an IDE's block alone is no prompt", { turns: 3, prompts: 3, system: 3, interrupted: 3 }],
  ["interrupt", "an interrupted turn", { turns: 1, prompts: 1, interrupted: 1 }],
  [
    "japanese",
    "a slash command with text; a sub-agent's lines in the main file are nothing",
    { turns: 1, prompts: 1, answers: 3, inputs: 13, outputs: 13 },
  ],
  ["korean", "plain prompts", { turns: 7, prompts: 7, answers: 9, inputs: 14, outputs: 14, system: 3 }],
  [
    "microcompact",
    "rejections without a word, interrupts, a micro-compaction",
    { turns: 3, prompts: 3, answers: 1, inputs: 6, outputs: 7, interrupted: 3 },
  ],
  ["multi-version", "resumed in a newer version", { turns: 2, prompts: 2, answers: 1, system: 2 }],
  ["non-claude-model", "a foreign model's answer", { turns: 1, prompts: 1, answers: 1 }],
  [
    "plan-handoff",
    "a plan handed on opens a turn, but the model wrote it: nobody's prompt",
    { turns: 1, answers: 3, inputs: 6, outputs: 5, system: 1 },
  ],
  [
    "pr-link",
    "cut at its head; replies of the client to unknown commands",
    { turns: 6, prompts: 5, answers: 6, inputs: 1, outputs: 1, system: 2 },
  ],
  ["queue-loop", "a queue that loops over the client's own caveat", { turns: 1, prompts: 1 }],
  [
    "queue-remove",
    "a notification that went through the queue is nobody's word",
    { turns: 1, prompts: 1, answers: 13, inputs: 25, outputs: 20 },
  ],
  [
    "rewind-sibling-prompts",
    "three prompts on one entry that were left for a fourth",
    { turns: 6, prompts: 6, answers: 8, inputs: 5, outputs: 5, system: 1, left: 3 },
  ],
  [
    "sidechain-in-main",
    "an old version's sub-agent in the main file",
    { turns: 4, prompts: 4, answers: 3, inputs: 4, outputs: 1 },
  ],
  ["steer-in-tool-result", "words beside tool results", { turns: 4, prompts: 6, answers: 2, inputs: 7, outputs: 8 }],
  [
    "task-notification",
    "the end of a background task is a notice",
    { turns: 1, prompts: 1, answers: 4, inputs: 8, outputs: 8, system: 3 },
  ],
  ["title", "a slash command that is answered is a turn", { turns: 4, prompts: 4, answers: 4, inputs: 2, outputs: 2 }],
  [
    "tool-image",
    "answers to questions, an image in a result",
    { turns: 4, prompts: 7, answers: 3, inputs: 9, outputs: 7, images: 1, system: 2 },
  ],
  [
    "two-objects-on-one-line",
    "a progress and a summary, a prompt and its first answer on one line each",
    { turns: 3, prompts: 3, answers: 4, inputs: 3, outputs: 3 },
  ],
  ["user-document", "a document that the client put in", { turns: 4, prompts: 4, answers: 4, inputs: 1, outputs: 2 }],
  ["user-image", "an image in a prompt", { turns: 1, prompts: 1, answers: 2, inputs: 1, outputs: 1, images: 1 }],
  ["windows-path", "a prompt that went through the queue", { turns: 1, prompts: 1, system: 1 }],
];

const nothing: Counts = {
  turns: 0,
  prompts: 0,
  answers: 0,
  inputs: 0,
  outputs: 0,
  images: 0,
  system: 0,
  interrupted: 0,
  left: 0,
  skipped: {},
};

function readFixture(db: Database, name: string, id = name): number {
  const session = makeSession(db, id);
  ingest(db, session.id, fileOf(name), { now: noon, zoneOffset: 0 });
  return session.id;
}

function countStore(db: Database, sessionId: number): Counts {
  const sql = `select
    (select count(*) from session_turns) as turns,
    (select count(*) from messages where role = 'user') as prompts,
    (select count(*) from messages where role = 'assistant') as answers,
    (select count(*) from session_turns join turns on turns.id = turn_id where state = 'interrupted' and left_at is null) as interrupted,
    (select count(*) from session_turns where left_at is not null) as left`;
  const counts = db.query<Counts, []>(sql).get() as Counts;
  const details = Object.groupBy(allDetails(db), ({ kind }) => kind);
  const count = (kind: DetailKind): number => details[kind]?.length ?? 0;
  return {
    ...counts,
    inputs: count("tool_input"),
    outputs: count("tool_output"),
    images: count("image"),
    system: count("system"),
    skipped: JSON.parse(readCheckpoint(db, sessionId)?.skipped ?? "{}"),
  };
}

test("every fixture has its row", () => {
  const scrambled = files.filter((file) => !file.startsWith("lab-"));
  expect(rows.map(([name]) => `${name}.jsonl`).sort()).toEqual(scrambled.sort());
});

describe("how much a transcript holds", () => {
  test.each(rows)("%s: %s", (name, _, expected) => {
    using db = memoryStore();
    const counts = countStore(db, readFixture(db, name));
    expect(counts).toEqual({ ...nothing, ...expected });
  });
});

describe("a fixture", () => {
  test.each(files)("%s read a second time from its beginning changes nothing", (file) => {
    using db = memoryStore();
    const name = file.replace(".jsonl", "");
    readFixture(db, name);
    const once = dumpStore(db);
    db.run("delete from checkpoints");
    readFixture(db, name);
    expect(dumpStore(db)).toEqual(once);
  });

  test.each(files)("%s copied into another session is stored once and listed by both", (file) => {
    using home = tempHome();
    using db = memoryStore();
    const name = file.replace(".jsonl", "");
    const once = countStore(db, readFixture(db, name));
    const copy = readFileSync(fileOf(name), "utf8").replaceAll(/"sessionId":"[^"]*"/g, '"sessionId":"copy"');
    ingestText(db, makeSession(db, "copy"), home.folder, copy);
    const { turns, left, interrupted, skipped: _, ...both } = countStore(db, 1);
    expect({ turns, left, interrupted }).toEqual({
      turns: once.turns * 2,
      left: once.left * 2,
      interrupted: once.interrupted * 2,
    });
    expect(both).toEqual({
      prompts: once.prompts,
      answers: once.answers,
      inputs: once.inputs,
      outputs: once.outputs,
      images: once.images,
      system: once.system,
    });
  });
});
