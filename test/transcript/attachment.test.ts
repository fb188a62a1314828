import { describe, expect, test } from "bun:test";
import { toEntry } from "../../src/transcript/entry.ts";

const line = (attachment: unknown, more: Record<string, unknown> = {}) => ({
  type: "attachment",
  uuid: "u1",
  timestamp: "2026-11-30T14:23:05.000Z",
  attachment,
  ...more,
});
const at = Date.parse("2026-11-30T14:23:05Z");
const hook = (more: Record<string, unknown>) =>
  line({ type: "hook_success", hookEvent: "Stop", command: "lint", ...more });

describe("text typed while Claude was working", () => {
  test.each([
    ["a text", { prompt: "also the docs" }, "also the docs"],
    ["blocks", { prompt: [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }] }, "a\nb"],
    ["in the mode of a prompt", { prompt: "x", commandMode: "prompt" }, "x"],
  ])("%s", (_, more, text) => {
    expect(toEntry(line({ type: "queued_command", ...more }))).toMatchObject({ kind: "queued", uuid: "u1", at, text });
  });

  test("an image alone", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJDRA==" } };
    const entry = toEntry(line({ type: "queued_command", prompt: [image] }));
    expect(entry).toMatchObject({ kind: "queued", text: "", media: [{ type: "image/png", bytes: 4 }] });
  });

  test.each([
    ["a task's notice", { prompt: "done", commandMode: "task-notification" }],
    ["a notice by its tag", { prompt: "<task-notification>done</task-notification>" }],
  ])("%s is the client's", (_, more) => {
    expect(toEntry(line({ type: "queued_command", ...more }))).toMatchObject({
      kind: "notice",
      tool: "notification",
    });
  });
});

describe("what a hook said", () => {
  test.each([
    ["its content", { content: "2 problems", stdout: "raw", stderr: "" }, "2 problems"],
    ["its errors", { content: "", stderr: "no such file", stdout: "raw" }, "no such file"],
    ["its output", { stdout: "fine" }, "fine"],
  ])("%s", (_, more, text) => {
    expect(toEntry(hook(more))).toEqual({
      kind: "notice",
      uuid: "u1",
      at,
      tool: "hook:Stop",
      text,
      input: "lint",
    });
  });

  test("a failing one of an unknown event", () => {
    const entry = toEntry(line({ type: "hook_non_blocking_error", stderr: "no" }));
    expect(entry).toMatchObject({ kind: "notice", tool: "hook:unknown", text: "no", input: "" });
  });

  test.each([
    "throughline hook stop",
    '"/home/a/.claude/plugins/throughline/bin/throughline" hook session-start --part 1',
    "/opt/bin/throughline hook stop",
    "'C:\\plugins\\bin\\throughline.exe' hook stop",
    "throughline.exe hook session-end",
  ])("%p is ours and nothing", (command) => {
    expect(toEntry(hook({ command, stdout: "text" }))).toEqual({ kind: "nothing" });
  });

  test.each(["throughlines hook x", "lint /src/throughline/hook.ts", "echo throughline"])(
    "%p is not ours",
    (command) => {
      expect(toEntry(hook({ command, stdout: "text" }))).toMatchObject({ kind: "notice" });
    },
  );
});

test.each([
  ["one of the client's own", line({ type: "skill_listing", content: "x" })],
  ["a sub-agent's", line({ type: "queued_command", prompt: "x" }, { isSidechain: true })],
  ["an empty text", line({ type: "queued_command", prompt: " " })],
  ["a prompt of a wrong type", line({ type: "queued_command", prompt: 5 })],
  ["a silent hook", hook({ stdout: " \n" })],
  ["injected context", line({ type: "hook_additional_context", content: ["x"] })],
])("%s is nothing", (_, one) => {
  expect(toEntry(one)).toEqual({ kind: "nothing" });
});

test.each([
  ["no attachment", line(undefined), "attachment/untyped"],
  ["no type", line({ prompt: "x" }), "attachment/untyped"],
  ["an unknown type", line({ type: "hologram" }), "attachment/hologram"],
  [
    "no uuid",
    line({ type: "queued_command", prompt: "x" }, { uuid: undefined }),
    "attachment/queued_command without uuid",
  ],
])("%s is skipped and counted", (_, one, reason) => {
  expect(toEntry(one)).toEqual({ kind: "skipped", reason });
});

test.each([
  ["its text", "a\nb", "a\nb"],
  ["an object", { type: "text", file: { filePath: "/p/a.ts", content: "a\nb" } }, "a\nb"],
  ["something else", { type: "notebook", cells: [1] }, '{"type":"notebook","cells":[1]}'],
])("a file that the person named is a system detail: %s", (_, content, text) => {
  expect(toEntry(line({ type: "file", filename: "/p/a.ts", displayPath: "a.ts", content }))).toMatchObject({
    kind: "notice",
    tool: "file",
    input: "a.ts",
    text,
  });
});
