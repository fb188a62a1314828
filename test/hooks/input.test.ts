import { describe, expect, test } from "bun:test";
import type * as z from "zod/mini";
import { parseInput, schemas } from "../../src/hooks/input.ts";

const start = {
  session_id: "s1",
  hook_event_name: "SessionStart",
  source: "clear",
  transcript_path: "/t.jsonl",
  cwd: "/p",
};

test("keeps what is known and what is not", () => {
  const input = { ...start, prompt_id: "new in some version", nested: { a: [1] } };
  expect<unknown>(parseInput(schemas.sessionStart, JSON.stringify(input))).toEqual(input);
});

test.each([
  ["SessionStart", schemas.sessionStart, { session_id: "s", hook_event_name: "SessionStart" }],
  [
    "Stop",
    schemas.stop,
    { session_id: "s", hook_event_name: "Stop", last_assistant_message: null, transcript_path: null },
  ],
  ["SubagentStop", schemas.stop, { session_id: "s", hook_event_name: "SubagentStop" }],
  ["SessionEnd", schemas.sessionEnd, { session_id: "s", hook_event_name: "SessionEnd", reason: "clear" }],
  [
    "PermissionRequest",
    schemas.permissionRequest,
    {
      session_id: "s",
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "ls", timeout: 1 },
    },
  ],
])("%s with as little as it may have", (_, schema, input) => {
  expect<unknown>(parseInput<z.ZodMiniType>(schema, `\n${JSON.stringify(input)}\n`)).toEqual(input);
});

test.each([
  ["nothing", ""],
  ["blanks", " \n\t"],
  ["another event", JSON.stringify({ ...start, hook_event_name: "Notification" })],
])("%s is nothing to do", (_, stdin) => {
  expect(parseInput(schemas.sessionStart, stdin)).toBeUndefined();
});

describe("is refused, in one line", () => {
  test.each([
    ["half an object", '{"session_id": "s', /no JSON/],
    ["two objects", `${JSON.stringify(start)}${JSON.stringify(start)}`, /no JSON/],
    ["words", "hello", /no JSON/],
    ["a list", "[]", /no JSON object/],
    ["null", "null", /no JSON object/],
    ["a number", "1", /no JSON object/],
    ["an empty object", "{}", /no usable session_id/],
    ["an empty session id", JSON.stringify({ ...start, session_id: "" }), /no usable session_id/],
    ["a session id of a wrong type", JSON.stringify({ ...start, session_id: 1 }), /no usable session_id/],
    ["no event", JSON.stringify({ ...start, hook_event_name: undefined }), /no usable hook_event_name/],
    ["an event of a wrong type", JSON.stringify({ ...start, hook_event_name: 1 }), /no usable hook_event_name/],
    ["a path of a wrong type", JSON.stringify({ ...start, transcript_path: {} }), /no usable transcript_path/],
    ["a folder of a wrong type", JSON.stringify({ ...start, cwd: 5 }), /no usable cwd/],
    ["a source of a wrong type", JSON.stringify({ ...start, source: [] }), /no usable source/],
  ])("%s", (_, stdin, message) => {
    const parse = (): unknown => parseInput(schemas.sessionStart, stdin);
    expect(parse).toThrow(message);
    expect(parse).toThrow(/^the hook's input [^\n]{1,300}$/);
  });

  test("a field within a field is named as a whole", () => {
    const input = { session_id: "s", hook_event_name: "PermissionRequest", tool_input: { command: 1 } };
    expect(() => parseInput(schemas.permissionRequest, JSON.stringify(input))).toThrow("no usable tool_input.command");
  });
});
