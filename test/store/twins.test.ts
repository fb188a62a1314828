import { describe, expect, test } from "bun:test";
import { seeded } from "../fixtures/random.ts";
import { allDetails } from "../support/details.ts";
import { dumpStore, tellTurns } from "../support/dump.ts";
import { tempHome } from "../support/home.ts";
import { ingestText, makeSession, memoryStore, noon } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

type Copy = (lines: readonly string[]) => string[];
type Fields = Record<string, unknown>;

/** A fork that keeps the uuids, as `--fork-session` does. */
const withSameUuids: Copy = (lines) =>
  lines.map((line) => JSON.stringify({ ...(JSON.parse(line) as Fields), sessionId: "fork" }));

/** A fork with uuids of its own and a word of where each line comes from, as the SDK's does. */
const withNewUuids: Copy = (lines) => {
  const renamed = (uuid: unknown) => (typeof uuid === "string" ? `copy-${uuid}` : uuid);
  return lines.map((line) => {
    const { uuid, parentUuid, ...fields } = JSON.parse(line) as Fields;
    const forkedFrom = { sessionId: "parent", messageUuid: uuid };
    return JSON.stringify({
      ...fields,
      uuid: renamed(uuid),
      parentUuid: renamed(parentUuid),
      sessionId: "fork",
      forkedFrom,
    });
  });
};

function conversation() {
  const parent = new TranscriptBuilder("parent", noon, 1_000, "p");
  parent.prompt("one");
  parent.answer({ type: "text", text: "I look." });
  parent.tool("Bash", { command: "ls" }, "a\nb");
  parent.entry("attachment", {
    attachment: { type: "hook_success", hookEvent: "Stop", content: "lint: clean", command: "lint" },
  });
  parent.say("1");
  parent.prompt([
    { type: "text", text: "two" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } },
  ]);
  parent.say("2");
  const shared = parent.lines.length;
  parent.prompt("three, in the parent");
  parent.say("3");
  return { parent: parent.lines, shared: parent.lines.slice(0, shared) };
}

describe.each([
  ["the same uuids", withSameUuids],
  ["new uuids", withNewUuids],
])("a fork with %s", (_, copy) => {
  const { parent, shared } = conversation();
  const own = new TranscriptBuilder("fork", noon + 3_600_000, 1_000, "f");
  own.prompt("three, in the fork");
  own.say("3f");
  const fork = [...copy(shared), ...own.lines];
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

  /** The store after the readings, each of one session's file up to a number of lines. */
  function storeAfter(readings: readonly (readonly ["parent" | "fork", number])[]): unknown {
    using home = tempHome();
    using db = memoryStore();
    const sessions = { parent: makeSession(db, "parent"), fork: makeSession(db, "fork") };
    for (const [name, lines] of readings) {
      ingestText(db, sessions[name], home.folder, text({ parent, fork }[name].slice(0, lines)));
    }
    return dumpStore(db);
  }

  const expected = storeAfter([
    ["parent", parent.length],
    ["fork", fork.length],
  ]);

  test("is stored once and listed by both", () => {
    using home = tempHome();
    using db = memoryStore();
    ingestText(db, makeSession(db, "parent"), home.folder, text(parent));
    ingestText(db, makeSession(db, "fork"), home.folder, text(fork));
    const told = tellTurns(db).map((line) => line.trim());
    expect(told.filter((line) => line.startsWith("user:"))).toEqual([
      "user: one",
      "user: two",
      "user: three, in the parent",
      "user: one",
      "user: two",
      "user: three, in the fork",
    ]);
    expect(db.query("select count(*) as n from turns").get()).toEqual({ n: 4 });
    expect(db.query("select count(*) as n from messages").get()).toEqual({ n: 9 });
    expect(allDetails(db)).toHaveLength(4);
  });

  test("gives the same store whichever is read first, and in whatever pieces", () => {
    expect(
      storeAfter([
        ["fork", fork.length],
        ["parent", parent.length],
      ]),
    ).toEqual(expected);
    const random = seeded(5);
    for (let round = 0; round < 60; round += 1) {
      const pieces = Array.from({ length: random.int(0, 5) }, () => {
        const name = random.pick(["parent", "fork"] as const);
        return [name, random.int(1, { parent, fork }[name].length)] as const;
      }).sort(([, a], [, b]) => a - b);
      const last = random.pick([
        [
          ["parent", parent.length],
          ["fork", fork.length],
        ],
        [
          ["fork", fork.length],
          ["parent", parent.length],
        ],
      ] as const);
      expect(storeAfter([...pieces, ...last])).toEqual(expected);
    }
  });
});

test("two prompts of one millisecond and one text are two turns where neither is a copy", () => {
  using home = tempHome();
  using db = memoryStore();
  for (const id of ["a", "b"]) {
    const t = new TranscriptBuilder(id, noon, 1_000, id);
    t.prompt("go on");
    ingestText(db, makeSession(db, id), home.folder, t.text);
  }
  expect(db.query("select count(*) as n from turns").get()).toEqual({ n: 2 });
});
