import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseTold } from "../../src/statusline/told.ts";

// As client 2.1.332 wrote it, the home's name apart.
const recorded = (name: string): string =>
  readFileSync(join(import.meta.dir, "../fixtures/statusline", `${name}.json`), "utf8");

test.each([
  ["at-start", 0],
  ["after-two-turns", 4_200],
])("what the client said: %s", (name, tokens) => {
  expect(parseTold(recorded(name))).toEqual({
    sessionId: "8c358629-f5c0-4cb9-ae30-227d1f052bc0",
    projectFolder: "/home/mina/project",
    tokens,
    window: 1_000_000,
  });
});

const none = { sessionId: undefined, projectFolder: undefined, tokens: undefined, window: undefined };

test.each([
  ["nothing", "", undefined],
  ["no JSON", "{", undefined],
  ["a list", "[1]", undefined],
  ["null", "null", undefined],
  ["an empty object", "{}", none],
  ["other types", '{"session_id":1,"context_window":"x","workspace":null,"cwd":[]}', none],
  ["numbers that are none", '{"context_window":{"total_input_tokens":-1,"context_window_size":1e300}}', none],
  ["prototype keys", '{"__proto__":{"session_id":"x"},"constructor":1}', none],
  ["the folder where no project is named", '{"cwd":"/a"}', { ...none, projectFolder: "/a" }],
])("%s", (_, text, told) => {
  expect(parseTold(text)).toEqual(told as never);
});
