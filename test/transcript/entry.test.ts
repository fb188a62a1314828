import { describe, expect, test } from "bun:test";
import { type Entry, toEntry } from "../../src/transcript/entry.ts";
import type { Line } from "../../src/transcript/line.ts";
import { type Random, seeded, seeds } from "../fixtures/random.ts";

const at = Date.parse("2026-11-30T14:23:05Z");
const envelope = { uuid: "u1", parentUuid: "u0", cwd: "/p", timestamp: "2026-11-30T14:23:05.000Z", sessionId: "s1" };
const base = { uuid: "u1", at };
const placed = { ...base, parentUuid: "u0", cwd: "/p" };
const user = (content: unknown, more: Record<string, unknown> = {}): Line => ({
  ...envelope,
  type: "user",
  message: { role: "user", content },
  ...more,
});
const system = (more: Record<string, unknown>): Line => ({ ...envelope, type: "system", ...more });

describe("a person's lines", () => {
  test.each<[string, Line, Entry]>([
    ["a prompt", user("Fix it."), { kind: "prompt", ...placed, text: "Fix it.", context: [], media: [] }],
    [
      "the first prompt of a file",
      user("Fix it.", { parentUuid: null, cwd: undefined }),
      { kind: "prompt", ...base, parentUuid: null, text: "Fix it.", context: [], media: [] },
    ],
    [
      "a prompt without a time",
      user("Fix it.", { timestamp: undefined }),
      { kind: "prompt", ...placed, at: 0, text: "Fix it.", context: [], media: [] },
    ],
    [
      "a prompt with the IDE's context",
      user("<ide_selection>a.ts</ide_selection>\nFix it."),
      { kind: "prompt", ...placed, text: "Fix it.", context: ["<ide_selection>a.ts</ide_selection>"], media: [] },
    ],
    [
      "a command with words",
      user(
        "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the last PR</command-args>",
      ),
      { kind: "command", ...placed, text: "/review the last PR", asksClaude: true, own: false },
    ],
    [
      "a command without",
      user(
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
      ),
      { kind: "command", ...placed, text: "/clear", asksClaude: false, own: false },
    ],
    [
      "a command's name without its slash",
      user("<command-message>init</command-message>"),
      { kind: "command", ...placed, text: "/init", asksClaude: false, own: false },
    ],
    [
      "arguments that hold the tag",
      user("<command-name>/x</command-name><command-args>say </command-args> twice</command-args>"),
      { kind: "command", ...placed, text: "/x say </command-args> twice", asksClaude: true, own: false },
    ],
    [
      "our own command",
      user("<command-name>/throughline:sc-detail</command-name><command-args>14:23</command-args>"),
      { kind: "command", ...placed, text: "/throughline:sc-detail 14:23", asksClaude: true, own: true },
    ],
    [
      "our own command by its bare name",
      user("<command-name>/sc-detail</command-name>"),
      { kind: "command", ...placed, text: "/sc-detail", asksClaude: false, own: true },
    ],
    [
      "another's command of a longer name",
      user("<command-name>/sc-details</command-name>"),
      { kind: "command", ...placed, text: "/sc-details", asksClaude: false, own: false },
    ],
    ["a shell command", user("<bash-input>ls -la</bash-input>"), { kind: "shell", ...placed, text: "ls -la" }],
    [
      "its output and errors",
      user("<bash-stdout>a\nb</bash-stdout><bash-stderr>no</bash-stderr>"),
      { kind: "shell_output", ...base, text: "a\nb\nno" },
    ],
    [
      "its output alone",
      user("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"),
      { kind: "shell_output", ...base, text: "a" },
    ],
    ["an interruption", user("[Request interrupted by user]"), { kind: "interrupt", ...base, said: [] }],
    [
      "a tool's result",
      user([{ type: "tool_result", tool_use_id: "t1", content: "out" }]),
      { kind: "results", ...base, results: [{ toolUseId: "t1", text: "out", media: [] }], said: [], media: [] },
    ],
    [
      "an interruption with words beside it",
      user([
        { type: "text", text: "[Request interrupted by user]" },
        { type: "text", text: "Not that." },
      ]),
      { kind: "interrupt", ...base, said: ["Not that."] },
    ],
  ])("%s", (_, line, entry) => {
    expect(toEntry(line)).toEqual(entry);
  });

  test("an image's data is nowhere", () => {
    const data = Buffer.from("pixels".repeat(50)).toString("base64");
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    const entry = toEntry(user([image, { type: "text", text: "this?" }]));
    expect(entry).toMatchObject({ kind: "prompt", text: "this?", media: [{ type: "image/png", bytes: 300 }] });
    expect(JSON.stringify(entry)).not.toContain(data.slice(0, 20));
  });
});

describe("the client's notices", () => {
  test.each<[string, Line, string, string]>([
    ["a command's output", user("<local-command-stdout>Set to x</local-command-stdout>"), "command", "Set to x"],
    ["a command's errors", user("<local-command-stderr>no</local-command-stderr>"), "command", "no"],
    [
      "a local command's output",
      system({ subtype: "local_command", content: "<local-command-stdout>ok</local-command-stdout>" }),
      "command",
      "ok",
    ],
    ["a summary", user("What was said", { isCompactSummary: true }), "summary", "What was said"],
    [
      "a task's notice",
      user("<task-notification>done</task-notification>"),
      "notification",
      "<task-notification>done</task-notification>",
    ],
    ["an injected text", user("Go on", { promptSource: "system" }), "notification", "Go on"],
    ["an error", user("Unknown skill: x"), "client", "Unknown skill: x"],
    ["a hook's stop", user("Operation stopped by hook: x"), "client", "Operation stopped by hook: x"],
    ["the IDE's context", user("<ide_selection>a</ide_selection>"), "ide", "<ide_selection>a</ide_selection>"],
    [
      "what happened meanwhile",
      system({ subtype: "away_summary", content: "Two files changed" }),
      "away_summary",
      "Two files changed",
    ],
  ])("%s", (_, line, tool, text) => {
    expect(toEntry(line)).toEqual({ kind: "notice", ...base, tool, text });
  });

  test("a local command as a system line is a command", () => {
    const content = "<command-name>/model</command-name><command-args>opus</command-args>";
    expect(toEntry(system({ subtype: "local_command", content }))).toEqual({
      kind: "command",
      ...placed,
      text: "/model opus",
      asksClaude: false,
      own: false,
    });
  });
});

test.each<[string, Line, Entry]>([
  ["into the queue", { content: "also this" }, { kind: "queue", operation: "enqueue", text: "also this", at }],
  ["out of it", { operation: "remove" }, { kind: "queue", operation: "remove", at }],
  ["a content of a wrong type", { content: 5 }, { kind: "queue", operation: "enqueue", at }],
  ["without an operation", { operation: undefined }, { kind: "skipped", reason: "queue-operation/untyped" }],
])("the queue: %s", (_, more, entry) => {
  expect(toEntry({ type: "queue-operation", operation: "enqueue", timestamp: envelope.timestamp, ...more })).toEqual(
    entry,
  );
});

describe("nothing", () => {
  test.each(["progress", "summary", "last-prompt", "api-request-blob", "marble-origami-commit"])(
    "a line of type %s",
    (type) => {
      expect(toEntry({ ...envelope, type, content: "text", message: { role: "user", content: "text" } })).toEqual({
        kind: "nothing",
      });
    },
  );

  test.each<[string, Line]>([
    ["a sub-agent's prompt", user("x", { isSidechain: true })],
    ["an injected skill", user("x", { isMeta: true })],
    ["a skill that the model called", user("<command-name>/x</command-name>", { sourceToolUseID: "t" })],
    ["an empty prompt", user("")],
    ["an empty command output", user("<local-command-stdout></local-command-stdout>")],
    ["a system line of another kind", system({ subtype: "turn_duration", content: "x" })],
    ["a sub-agent's system line", system({ subtype: "away_summary", content: "x", isSidechain: true })],
    ["an attachment of the client", { ...envelope, type: "attachment", attachment: { type: "skill_listing" } }],
  ])("%s", (_, line) => {
    expect(toEntry(line)).toEqual({ kind: "nothing" });
  });
});

test.each<[string, Line, string]>([
  ["no type", {}, "no type"],
  ["a type of a wrong type", { type: 5 }, "no type"],
  ["an unknown type", { type: "brand-new" }, "brand-new"],
  ["an unknown type of great length", { type: "x".repeat(1_000) }, "x".repeat(60)],
  ["a user line without uuid", { type: "user", message: { content: "x" } }, "user/prompt without uuid"],
  ["a system line without uuid", { type: "system", subtype: "away_summary" }, "system/away_summary without uuid"],
  ["a system line of a new kind", { type: "system", subtype: "new" }, "system/new"],
  ["an assistant line without uuid", { type: "assistant" }, "assistant/answer without uuid"],
])("%s is skipped and counted", (_, line, reason) => {
  expect(toEntry(line)).toEqual({ kind: "skipped", reason });
});

const types = ["user", "assistant", "attachment", "system", "queue-operation", "progress", "?"];
const values = [
  undefined,
  null,
  true,
  0,
  -1.5,
  "",
  "text",
  "<command-name>",
  "</command-name><command-name>",
  "<bash-input>",
  "<local-command-stdout>",
  "prompt",
  "tool_result",
  "queued_command",
  "hook_success",
  [],
  {},
] as const;
const keys = [
  "uuid",
  "parentUuid",
  "timestamp",
  "message",
  "content",
  "type",
  "attachment",
  "prompt",
  "subtype",
  "operation",
  "origin",
  "kind",
  "source",
  "data",
  "usage",
  "model",
  "tool_use_id",
  "toolUseResult",
  "answers",
  "text",
  "id",
  "input",
];

function anything(random: Random, depth: number): unknown {
  const shape = depth > 0 ? random.int(0, 3) : 0;
  if (shape === 1) return Array.from({ length: random.int(0, 3) }, () => anything(random, depth - 1));
  if (shape < 2) return random.pick<unknown>(values);
  return Object.fromEntries(
    Array.from({ length: random.int(0, 8) }, () => [random.pick(keys), anything(random, depth - 1)]),
  );
}

test.each(seeds(50))("seed %i: no line of whatever shape throws", (seed) => {
  const random = seeded(seed);
  for (let n = 0; n < 100; n += 1) {
    const line = { uuid: "u1", ...(anything(random, 4) as object), type: random.pick(types) };
    expect(toEntry(line).kind).toBeString();
  }
});
