import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, toEntry } from "../../src/transcript/entry.ts";
import type { Line } from "../../src/transcript/line.ts";
import { emptyReading } from "../../src/transcript/reading.ts";
import { lineTable } from "../../src/transcript/table.ts";
import { follow } from "../../src/transcript/turns.ts";
import type { Change } from "../../src/types.ts";

const document = readFileSync(join(import.meta.dir, "../../docs/transcript.md"), "utf8");
const names: Record<string, string> = { "L2 user": "user", "L2 assistant": "assistant" };

test("docs/transcript.md has the same rows as the table", () => {
  const rows = [...document.matchAll(/^\| `([^`]+)` +\| ([^|]+?) +\|/gm)].map(([, kind, kept]) => [
    kind,
    kept === "nothing" ? [] : kept?.split(", ").map((layer) => names[layer] ?? layer.replace("L3 ", "")),
  ]);
  expect(Object.fromEntries(rows)).toEqual(lineTable);
  expect(rows).toHaveLength(Object.keys(lineTable).length);
});

const user = (content: unknown, more: Line = {}): Line => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});
const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } };
const hook = (type: string): Line => ({ type: "attachment", attachment: { type, content: "x", command: "lint" } });

/** A line, or several, of each kind of which something is kept: together they yield all of what the table says. */
const samples: Record<string, Line[]> = {
  "user/prompt": [user([text("<ide_selection>a</ide_selection>why?"), image])],
  "user/plan": [user("Implement the following plan:\n1. this", { planContent: "1. this" })],
  "user/command": [user("<command-name>/review</command-name><command-args>all</command-args>")],
  "user/shell": [user("<bash-input>ls</bash-input>")],
  "user/shell_output": [user("<bash-stdout>a</bash-stdout>")],
  "user/tool_result": [
    user([{ type: "tool_result", tool_use_id: "t", content: [text("out"), image] }, text("faster")]),
  ],
  "user/summary": [user("digest", { isCompactSummary: true })],
  "user/command_output": [user("<local-command-stdout>a</local-command-stdout>")],
  "user/injected": [user("a peer says", { origin: { kind: "peer" } })],
  "user/notification": [user("<task-notification>done</task-notification>")],
  "user/local_error": [user("Unknown skill: x")],
  "user/hook": [user("Operation stopped by hook: no")],
  "user/ide_context": [user("<ide_opened_file>a.ts</ide_opened_file>")],
  "assistant/answer": [
    { type: "assistant", message: { content: [text("so"), { type: "tool_use", id: "t", name: "Bash", input: {} }] } },
  ],
  "assistant/api_error": [
    {
      type: "assistant",
      isApiErrorMessage: true,
      message: { model: "<synthetic>", content: [text("API Error: 529")] },
    },
  ],
  "queue-operation/enqueue": [{ type: "queue-operation", operation: "enqueue", content: "and this" }],
  "attachment/queued_command": [
    { type: "attachment", attachment: { type: "queued_command", prompt: "and this" } },
    { type: "attachment", attachment: { type: "queued_command", prompt: "done", commandMode: "task-notification" } },
  ],
  "attachment/file": [{ type: "attachment", attachment: { type: "file", filename: "a", content: "x" } }],
  "attachment/hook_success": [hook("hook_success")],
  "attachment/hook_non_blocking_error": [hook("hook_non_blocking_error")],
  "attachment/hook_blocking_error": [hook("hook_blocking_error")],
  "attachment/hook_error_during_execution": [hook("hook_error_during_execution")],
  "system/away_summary": [{ type: "system", subtype: "away_summary", content: "recap" }],
  "system/local_command": [
    {
      type: "system",
      subtype: "local_command",
      content: "<command-name>/x</command-name><command-args>y</command-args>",
    },
    { type: "system", subtype: "local_command", content: "<local-command-stdout>z</local-command-stdout>" },
  ],
};

/** What lines add to a turn that is open. */
function keptOf(lines: readonly Line[]): string[] {
  const reading = emptyReading();
  const changes: Change[] = [];
  follow(reading, [], toEntry({ ...user("before"), uuid: "u0" }));
  lines.forEach((line, n) => {
    follow(reading, changes, toEntry({ parentUuid: "u0", ...line, uuid: `u${n + 1}` }));
  });
  const turns = changes.flatMap((change) => (change.type === "turn" ? [change.turn] : []));
  const kinds = turns.flatMap(({ messages, details }) => [
    ...messages.map(({ role }) => role as string),
    ...details.map(({ kind }) => kind as string),
  ]);
  return [...new Set(kinds)].sort();
}

describe("what is kept of", () => {
  test("every kind that keeps something is shown by a sample", () => {
    const keeping = Object.entries(lineTable).filter(([, kept]) => kept.length > 0);
    expect(Object.keys(samples).sort()).toEqual(keeping.map(([kind]) => kind).sort());
  });

  test.each(Object.entries(samples))("%s", (kind, lines) => {
    expect(lines.map((line) => kindOf(line))).toEqual(lines.map(() => kind));
    expect(keptOf(lines)).toEqual([...(lineTable[kind] ?? [])].sort());
  });

  const silent = Object.entries(lineTable).flatMap(([kind, kept]) => (kept.length === 0 ? [kind] : []));
  test.each(silent)("%s: nothing", (kind) => {
    const [type, sub] = kind.split("/");
    const inside: Line = { content: "text", subtype: sub, operation: sub, attachment: { type: sub, content: "text" } };
    if (type !== "user" && type !== "assistant" && type !== "sidechain") {
      const line = { ...inside, type, message: { role: "user", content: "text" } };
      expect(kindOf(line)).toBe(kind);
      expect(keptOf([line])).toEqual([]);
    }
  });

  test.each<[string, Line]>([
    ["user/interrupt", user("[Request interrupted by user]")],
    ["user/meta", user("Caveat: …", { isMeta: true })],
    ["user/skill", user("<command-name>/x</command-name>", { sourceToolUseID: "t" })],
    [
      "assistant/filler",
      { type: "assistant", message: { model: "<synthetic>", content: [text("No response requested.")] } },
    ],
    ["sidechain", user("look at this", { isSidechain: true })],
    ["sidechain", { type: "assistant", agentId: "a1", message: { content: [text("so")] } }],
  ])("%s: nothing in words", (kind, line) => {
    expect(kindOf(line)).toBe(kind);
    expect(keptOf([line])).toEqual([]);
  });
});
