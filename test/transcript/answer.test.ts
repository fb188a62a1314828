import { expect, test } from "bun:test";
import { toEntry } from "../../src/transcript/entry.ts";

const line = (message: unknown, more: Record<string, unknown> = {}) => ({
  type: "assistant",
  uuid: "u1",
  timestamp: "2026-11-30T14:23:05.000Z",
  message,
  ...more,
});
const at = Date.parse("2026-11-30T14:23:05Z");
const block = { messageId: null, thinking: false, index: null };
const text = (value: unknown) => ({ type: "text", text: value });

test("texts and tools in order, model and the size of the context; thinking nowhere", () => {
  const entry = toEntry(
    line({
      model: "claude-x",
      content: [
        { type: "thinking", thinking: "secret", signature: "s" },
        { type: "redacted_thinking", data: "secret" },
        text("First."),
        { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls", n: 1 } },
        text("Second."),
        { type: "server_tool_use", id: "t2", name: "web_search", input: {} },
      ],
      usage: { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 4_000 },
    }),
  );
  expect(entry).toEqual({
    kind: "answer",
    uuid: "u1",
    at,
    texts: ["First.", "Second."],
    tools: [
      { id: "t1", name: "Bash", input: '{"command":"ls","n":1}' },
      { id: "t2", name: "web_search", input: "{}" },
    ],
    model: "claude-x",
    contextTokens: 4_321,
    block,
  });
});

test.each([
  ["a plain string", "Hello.", ["Hello."]],
  ["blank texts", [text(" \n"), text("(no content)"), text("x")], ["x"]],
  ["texts of a wrong type", [text(5), null, "x", text("y")], ["y"]],
  ["no content", undefined, []],
])("%s", (_, content, texts) => {
  expect(toEntry(line({ content }))).toEqual({ kind: "answer", uuid: "u1", at, texts, tools: [], block });
});

test("tools without an id are dropped, those without a name are kept", () => {
  const tools = [
    { type: "tool_use", name: "Bash" },
    { type: "tool_use", id: "t1" },
  ];
  expect(toEntry(line({ content: tools }))).toMatchObject({ tools: [{ id: "t1", name: "unknown", input: "{}" }] });
});

test.each([
  ["of a wrong type", "many"],
  ["with fields of a wrong type", { input_tokens: "5", output_tokens: Number.NaN }],
  ["empty", {}],
])("usage %s is no size", (_, usage) => {
  expect(toEntry(line({ content: "x", usage }))).not.toHaveProperty("contextTokens");
});

test("the client's own words in Claude's place", () => {
  const message = { model: "<synthetic>", content: [text("API Error: 529")] };
  expect(toEntry(line(message, { isApiErrorMessage: true }))).toEqual({
    kind: "notice",
    uuid: "u1",
    at,
    tool: "api_error",
    text: "API Error: 529",
  });
  expect(toEntry(line({ model: "<synthetic>", content: "No response requested." }))).toEqual({ kind: "nothing" });
});

test("what is no answer of this conversation", () => {
  expect(toEntry(line({ content: "x" }, { uuid: undefined }))).toEqual({
    kind: "skipped",
    reason: "assistant/answer without uuid",
  });
  expect(toEntry(line({ content: "x" }, { isSidechain: true }))).toEqual({ kind: "nothing" });
  expect(toEntry(line({ content: "x" }, { agentId: "a" }))).toEqual({ kind: "nothing" });
  expect(toEntry(line({ content: "x" }, { timestamp: "soon" }))).toMatchObject({ at: 0 });
});
