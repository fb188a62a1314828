import { describe, expect, test } from "bun:test";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ingest } from "../src/ingest.ts";
import { readCheckpoint } from "../src/store/checkpoints.ts";
import { dumpStore, tellTurns } from "./support/dump.ts";
import { tempHome } from "./support/home.ts";
import { ingestText, makeSession, memoryStore, noon } from "./support/store.ts";
import { TranscriptBuilder } from "./support/transcript.ts";

const read = (build: (t: TranscriptBuilder) => void): string[] => {
  using home = tempHome();
  using db = memoryStore();
  const transcript = new TranscriptBuilder();
  build(transcript);
  ingestText(db, makeSession(db, transcript.sessionId), home.folder, transcript.text);
  return tellTurns(db);
};

/** A conversation with every shape in it that moves the reader's state. */
function everyShape(): TranscriptBuilder {
  const t = new TranscriptBuilder();
  t.raw(JSON.stringify({ type: "mode", mode: "default" }));
  t.prompt("zeroth question");
  const late = t.lines.pop() as string;
  t.say("zeroth answer");
  t.raw(late);
  t.entry("attachment", {
    attachment: { type: "hook_success", hookEvent: "SessionStart", content: "lint says hello", command: "lint" },
  });
  const first = t.prompt("first question 認証");
  t.answer({ type: "thinking", thinking: "secret", signature: "x" }, { type: "text", text: "let me look" });
  t.tool("Bash", { command: "ls" }, "a\nb");
  t.say("two files");
  t.prompt("<command-name>/model</command-name><command-args></command-args>");
  t.entry("system", { subtype: "local_command", content: "<local-command-stdout>Set model</local-command-stdout>" });
  t.prompt("<bash-input>git status</bash-input>");
  t.prompt("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>");
  t.raw(
    JSON.stringify({
      type: "queue-operation",
      operation: "enqueue",
      content: "also check b",
      timestamp: "2026-11-30T13:10:00.000Z",
    }),
  );
  t.tool("Read", { file_path: "b" }, [
    { type: "text", text: "content of b" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } },
  ]);
  t.raw(JSON.stringify({ type: "queue-operation", operation: "remove", timestamp: "2026-11-30T13:10:01.000Z" }));
  t.say("b is fine");
  const second = t.prompt("half a prom");
  t.backTo(first);
  t.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
  t.prompt("rewound question");
  t.say("rewound answer");
  t.backTo(second);
  t.prompt("<command-name>/review</command-name><command-args>src</command-args>");
  t.say("reviewed");
  t.raw("{ broken");
  t.raw(JSON.stringify({ type: "hologram" }));
  return t;
}

describe("what a transcript says", () => {
  test("a turn is a prompt and everything until the next one; thinking is nowhere", () => {
    const turns = read((t) => {
      t.prompt("why?");
      t.answer({ type: "thinking", thinking: "hmm" }, { type: "text", text: "I look." });
      t.tool("Bash", { command: "cat log" }, "\u001b[31mred\u001b[0m line");
      t.say("Because.");
      t.prompt("thanks");
    });
    expect(turns).toMatchInlineSnapshot(`
      [
        "turn 1",
        "  user: why?",
        "  assistant: I look.",
        "  assistant: Because.",
        "  tool_input Bash: {"command":"cat log"}",
        "  tool_output : red line",
        "turn 2",
        "  user: thanks",
      ]
    `);
  });

  test("a prompt taken back before any answer counts once, in its last form", () => {
    const turns = read((t) => {
      t.prompt("hello");
      t.say("hi");
      const parent = t.last;
      t.prompt("do this");
      t.backTo(parent).prompt("do this and that");
      t.say("done");
    });
    expect(turns).toEqual([
      "turn 1",
      "  user: hello",
      "  assistant: hi",
      "turn 2",
      "  user: do this and that",
      "  assistant: done",
    ]);
  });

  test("an answer that is written before its prompt belongs to it; one of an earlier time does not", () => {
    const build = (minutes: number) => (t: TranscriptBuilder) => {
      t.prompt("asked later in the file");
      const prompt = t.lines.pop() as string;
      t.answer({ type: "text", text: "I look." });
      t.tool("Bash", { command: "ls" }, "a");
      const { timestamp, ...rest } = JSON.parse(prompt) as Record<string, string>;
      t.raw(JSON.stringify({ ...rest, timestamp: new Date(Date.parse(timestamp ?? "") + minutes * 60_000) }));
      t.say("done");
    };
    expect(read(build(0))).toEqual([
      "turn 1",
      "  user: asked later in the file",
      "  assistant: I look.",
      "  assistant: done",
      '  tool_input Bash: {"command":"ls"}',
      "  tool_output : a",
    ]);
    expect(read(build(1)).filter((line) => line.startsWith("turn"))).toEqual(["turn 1", "turn 2"]);
  });

  test("a rewind leaves the turns after it", () => {
    const turns = read((t) => {
      t.prompt("one");
      const end = t.say("1");
      t.prompt("two");
      t.say("2");
      t.prompt("three");
      t.say("3");
      t.backTo(end).prompt("two again");
      t.say("2b");
    });
    expect(turns.filter((line) => line.startsWith("turn") || line.includes("user:"))).toEqual([
      "turn 1",
      "  user: one",
      "turn 2 left",
      "  user: two",
      "turn 3 left",
      "  user: three",
      "turn 4",
      "  user: two again",
    ]);
  });

  test("a slash command is a turn when something answers it; ours never is", () => {
    const turns = read((t) => {
      t.prompt("<command-name>/clear</command-name><command-args></command-args>");
      t.entry("system", { subtype: "local_command", content: "<local-command-stdout></local-command-stdout>" });
      t.prompt("<command-message>commit</command-message><command-name>/commit</command-name>");
      t.prompt("Commit the staged files.", { isMeta: true });
      t.say("committed");
      t.prompt("<command-name>/throughline:sc-detail</command-name><command-args>14:23</command-args>");
      t.prompt("the old turn", { isMeta: true });
      t.say("it said so");
    });
    expect(turns).toEqual(["turn 1", "  user: /commit", "  assistant: committed", "  assistant: it said so"]);
  });

  test("an interrupted turn is marked, and is not when it goes on", () => {
    const turns = read((t) => {
      t.prompt("long work");
      t.say("I begin");
      t.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
    });
    expect(turns).toEqual(["turn 1 interrupted", "  user: long work", "  assistant: I begin"]);
  });

  test("our own hooks' output is nothing, somebody else's is kept once", () => {
    const turns = read((t) => {
      t.prompt("hello");
      const hook = (command: string, content: string) =>
        t.entry("attachment", { attachment: { type: "hook_success", hookEvent: "PostToolUse", content, command } });
      hook(`$\{CLAUDE_PLUGIN_ROOT}/bin/throughline hook session-start --part 1`, "## Throughline: session memory");
      hook("eslint", "2 warnings");
      hook("eslint", "2 warnings");
      t.entry("attachment", {
        attachment: { type: "hook_additional_context", content: ["## Throughline: session memory"] },
      });
    });
    expect(turns).toEqual(["turn 1", "  user: hello", "  system hook:PostToolUse: eslint → 2 warnings"]);
  });

  test("what the person said inside a tool result is theirs and is cut from the result", () => {
    const turns = read((t) => {
      t.prompt("plan it");
      t.tool(
        "ExitPlanMode",
        { plan: "x" },
        "The user doesn't want to proceed with this tool use. It was rejected.\nthe user said:\nuse SQLite",
      );
    });
    expect(turns).toEqual([
      "turn 1",
      "  user: plan it",
      "  user: use SQLite",
      '  tool_input ExitPlanMode: {"plan":"x"}',
      "  tool_output : The user doesn't want to proceed with this tool use. It was rejected.",
    ]);
  });

  test("a text typed while Claude works is kept where it was typed, and counts once when it comes back as a prompt", () => {
    const enqueue = (content: string) =>
      JSON.stringify({ type: "queue-operation", operation: "enqueue", content, timestamp: "2026-11-30T13:00:05.000Z" });
    const turns = read((t) => {
      t.prompt("go");
      t.raw(enqueue("steer left"))
        .raw(enqueue("next job"))
        .raw(enqueue("steer left"))
        .raw(enqueue("<task-notification>x</task-notification>"));
      t.say("going");
      t.prompt("next job");
    });
    expect(turns).toEqual([
      "turn 1",
      "  user: go",
      "  user: steer left",
      "  assistant: going",
      "turn 2",
      "  user: next job",
    ]);
  });

  test("lines that are not understood are skipped and counted", () => {
    using home = tempHome();
    using db = memoryStore();
    const session = makeSession(db, "s");
    ingestText(db, session, home.folder, everyShape().text);
    expect(JSON.parse(readCheckpoint(db, session.id)?.skipped ?? "")).toEqual({ "not JSON": 1, hologram: 1 });
  });

  test.each([
    ["null"],
    ["[]"],
    ["3"],
    ['"text"'],
    ["{}"],
    ['{"type":3}'],
    ['{"type":"user","uuid":"u","message":{"content":{"a":1}}}'],
    ['{"type":"assistant","uuid":"u","message":[]}'],
    ['{"type":"user","uuid":{},"message":{"content":"x"},"timestamp":{}}'],
  ])("the odd line %s is survived", (line) => {
    const turns = read((t) => {
      t.raw(line);
      t.prompt("still here");
    });
    expect(turns.at(-1)).toBe("  user: still here");
  });
});

test("an image's placeholder is the same, however large its line is", () => {
  const data = Buffer.from("picture".repeat(100_000)).toString("base64");
  const placeholders = [1, 9_000_000].map((length) =>
    read((t) => {
      t.prompt("look");
      const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
      t.prompt([{ type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "seen" }, image] }], {
        toolUseResult: "x".repeat(length),
      });
    }),
  );
  expect(placeholders[0]).toContain("  tool_output : seen");
  expect(placeholders[0]?.at(-1)).toStartWith("  image image/png: [image/png, 700000 bytes, ");
  expect(placeholders[1]).toEqual(placeholders[0] as string[]);
});

describe("reading in pieces", () => {
  const whole = everyShape().text;
  const bytes = new TextEncoder().encode(whole);

  const readWhole = (): unknown => {
    using home = tempHome();
    using db = memoryStore();
    ingestText(db, makeSession(db, "s"), home.folder, bytes);
    return dumpStore(db);
  };

  test("cuts at any byte give the same store as one reading", () => {
    const expected = readWhole();
    let seed = 7;
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % n;
    };
    for (let round = 0; round < 150; round += 1) {
      using home = tempHome();
      using db = memoryStore();
      const session = makeSession(db, "s");
      const cuts = Array.from({ length: 1 + random(8) }, () => random(bytes.length)).sort((a, b) => a - b);
      for (const cut of [...cuts, bytes.length]) ingestText(db, session, home.folder, bytes.subarray(0, cut));
      expect(dumpStore(db)).toEqual(expected);
    }
  });

  test("reading twice changes nothing", () => {
    using home = tempHome();
    using db = memoryStore();
    const session = makeSession(db, "s");
    ingestText(db, session, home.folder, bytes);
    const once = dumpStore(db);
    ingestText(db, session, home.folder, bytes);
    expect(dumpStore(db)).toEqual(once);
    db.run("delete from checkpoints");
    ingestText(db, session, home.folder, bytes);
    expect(dumpStore(db)).toEqual(once);
  });

  test("a copied history is stored once and listed by both", () => {
    using home = tempHome();
    using db = memoryStore();
    ingestText(db, makeSession(db, "s"), home.folder, bytes);
    ingestText(db, makeSession(db, "fork"), home.folder, bytes);
    const counts = db
      .query("select (select count(*) from turns) as turns, (select count(*) from session_turns) as listed")
      .get() as { turns: number; listed: number };
    expect(counts.listed).toBe(counts.turns * 2);
  });

  test("an event reads only what is new", () => {
    using home = tempHome();
    using db = memoryStore();
    const session = makeSession(db, "s");
    const file = join(home.folder, "t.jsonl");
    writeFileSync(file, bytes);
    const options = { now: noon, zoneOffset: 0 };
    ingest(db, session.id, file, options);
    db.run("delete from turns");
    const more = new TranscriptBuilder("s", noon, 1_000, "f");
    more.prompt("only this");
    appendFileSync(file, more.text);
    ingest(db, session.id, file, options);
    expect(tellTurns(db)).toEqual(["turn 1", "  user: only this"]);
  });

  test("a copy of the file that was read is gone on with: what was passed over stays so", () => {
    using home = tempHome();
    using db = memoryStore();
    const t = new TranscriptBuilder();
    const session = makeSession(db, t.sessionId);
    const file = join(home.folder, "t.jsonl");
    t.prompt("said while it was off");
    t.say("and answered");
    writeFileSync(file, t.text);
    ingest(db, session.id, file, { now: noon, zoneOffset: 0, passOver: true });
    t.prompt("said later");
    t.say("and answered too");
    rmSync(file);
    const copy = join(home.folder, "copy.jsonl");
    writeFileSync(copy, t.text);
    ingest(db, session.id, copy, { now: noon, zoneOffset: 0, finished: true });
    expect(tellTurns(db).join("\n")).toContain("said later");
    expect(tellTurns(db).join("\n")).not.toContain("while it was off");
  });

  test("a file that shrank or was written anew is read from its beginning", () => {
    using home = tempHome();
    using db = memoryStore();
    const session = makeSession(db, "s");
    const [one, two] = [new TranscriptBuilder("s", noon, 1_000, "a"), new TranscriptBuilder("s", noon, 1_000, "b")];
    one.prompt("old text that is longer than the new one");
    two.prompt("new");
    ingestText(db, session, home.folder, one.text);
    ingestText(db, session, home.folder, two.text);
    expect(tellTurns(db)).toEqual([
      "turn 1",
      "  user: old text that is longer than the new one",
      "turn 2",
      "  user: new",
    ]);
  });

  test("random damage never crashes and never loses a line that is intact", () => {
    let seed = 11;
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % n;
    };
    for (let round = 0; round < 60; round += 1) {
      using home = tempHome();
      using db = memoryStore();
      const damaged = Uint8Array.from(bytes);
      for (let hit = 0; hit < 5; hit += 1) damaged[random(damaged.length)] = random(256);
      const marker = new TranscriptBuilder("s", noon, 1_000, "z");
      marker.prompt("intact to the end");
      ingestText(
        db,
        makeSession(db, "s"),
        home.folder,
        Buffer.concat([damaged, Buffer.from("\n"), Buffer.from(marker.text)]),
      );
      expect(tellTurns(db).at(-1)).toBe("  user: intact to the end");
    }
  });
});
