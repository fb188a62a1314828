import { describe, expect, test } from "bun:test";
import { parseInput, type Shape, type StopInput, shapes } from "../../src/hooks/input.ts";
import permissionRequest from "../../src/hooks/permission-request.ts";
import { tempHome } from "../support/home.ts";

const start = {
  session_id: "s1",
  hook_event_name: "SessionStart",
  source: "clear",
  transcript_path: "/t.jsonl",
  cwd: "/p",
};

test("keeps what is known and what is not", () => {
  const input = { ...start, prompt_id: "new in some version", nested: { a: [1] } };
  expect<unknown>(parseInput(shapes.sessionStart, JSON.stringify(input))).toEqual(input);
});

test.each([
  ["SessionStart", shapes.sessionStart, { session_id: "s", hook_event_name: "SessionStart" }],
  [
    "Stop",
    shapes.stop,
    { session_id: "s", hook_event_name: "Stop", last_assistant_message: null, transcript_path: null },
  ],
  ["SubagentStop", shapes.stop, { session_id: "s", hook_event_name: "SubagentStop" }],
  ["SessionEnd", shapes.sessionEnd, { session_id: "s", hook_event_name: "SessionEnd", reason: "clear" }],
  [
    "PermissionRequest",
    shapes.permissionRequest,
    {
      session_id: "s",
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "ls", timeout: 1 },
    },
  ],
])("%s with as little as it may have", (_, schema, input) => {
  expect<unknown>(parseInput(schema as Shape<StopInput>, `\n${JSON.stringify(input)}\n`)).toEqual(input);
});

test.each([
  ["nothing", ""],
  ["blanks", " \n\t"],
  ["another event", JSON.stringify({ ...start, hook_event_name: "Notification" })],
])("%s is nothing to do", (_, stdin) => {
  expect(parseInput(shapes.sessionStart, stdin)).toBeUndefined();
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
    const parse = (): unknown => parseInput(shapes.sessionStart, stdin);
    expect(parse).toThrow(message);
    expect(parse).toThrow(/^the hook's input [^\n]{1,300}$/);
  });
});

test.each([[{ command: 1 }], [null], [{}], ["ls"]])(
  "a tool's input %p is the person's to decide on",
  async (tool_input) => {
    using home = tempHome();
    const stdin = JSON.stringify({
      session_id: "s",
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input,
    });
    expect(await permissionRequest(home.env(), stdin, [])).toBeUndefined();
  },
);
