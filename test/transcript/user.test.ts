import { describe, expect, test } from "bun:test";
import { classifyUser, splitIdeContext, type UserClass, userText } from "../../src/transcript/user.ts";

const line = (content: unknown, more: Record<string, unknown> = {}) => ({
  type: "user",
  uuid: "u1",
  message: { role: "user", content },
  ...more,
});
const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const result = { type: "tool_result", tool_use_id: "t1", content: "out" };
const reading = "<ide_opened_file>The user opened a.ts</ide_opened_file>";
const summary = "This session is being continued from a previous conversation that ran out of context.";

test.each<[string, Record<string, unknown>, UserClass]>([
  ["a typed prompt", line("Fix it."), "prompt"],
  ["a prompt as blocks", line([text("Fix it.")]), "prompt"],
  ["a prompt with an image", line([image, text("What is this?")]), "prompt"],
  ["an image alone", line([image]), "prompt"],
  ["a document alone", line([{ type: "document", source: {} }]), "prompt"],
  ["a prompt behind the IDE's context", line([text(reading), text("Fix it.")]), "prompt"],
  ["a prompt about tags", line("What does <command-name> mean?"), "prompt"],
  ["a prompt that begins with a slash and no tags", line("/etc/hosts is wrong"), "prompt"],
  ["a prompt of a program", line("Fix it.", { promptSource: "sdk", entrypoint: "sdk-cli" }), "prompt"],
  ["a person's prompt by its origin", line("Fix it.", { origin: { kind: "human" } }), "prompt"],
  ["a long text that begins like an error", line(`Unknown skill: ${"why? ".repeat(100)}`), "prompt"],
  ["a sub-agent's line", line("Fix it.", { isSidechain: true }), "sidechain"],
  ["a line with an agent's id", line("Fix it.", { agentId: "a1" }), "sidechain"],
  ["a summary by its mark", line("What was said", { isCompactSummary: true }), "summary"],
  ["a summary by its words", line(summary), "summary"],
  ["a tool's result", line([result]), "tool_result"],
  ["a tool's result with words beside it", line([result, text("No, the other one.")]), "tool_result"],
  ["a tool's result that is marked as meta", line([result], { isMeta: true }), "tool_result"],
  ["an injected text", line("Caveat", { isMeta: true }), "meta"],
  ["a task's notice by its origin", line("Done", { origin: { kind: "task-notification" } }), "injected"],
  ["the system's prompt", line("Go on", { promptSource: "system" }), "injected"],
  ["a team's message", line("Hello", { teamName: "x" }), "injected"],
  ["an interruption", line([text("[Request interrupted by user]")]), "interrupt"],
  ["an interrupted tool", line([text("[Request interrupted by user for tool use]")]), "interrupt"],
  ["a command", line("<command-name>/clear</command-name>"), "command"],
  [
    "a command, its message first",
    line("<command-message>x</command-message>\n<command-name>/x</command-name>"),
    "command",
  ],
  ["a skill that the model called", line("<command-name>/x</command-name>", { sourceToolUseID: "t" }), "skill"],
  ["a command's output", line("<local-command-stdout>ok</local-command-stdout>"), "command_output"],
  ["a command's errors", line("\n<local-command-stderr>no</local-command-stderr>"), "command_output"],
  ["a shell command", line("<bash-input>ls</bash-input>"), "shell"],
  ["its output", line("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"), "shell_output"],
  ["its errors", line("<bash-stderr>a</bash-stderr>"), "shell_output"],
  ["a task's notice", line("<task-notification>\n<status>done</status></task-notification>"), "notification"],
  ["a teammate's message", line('<teammate-message teammate_id="x">hi</teammate-message>'), "notification"],
  ["the client's own error", line("Unknown slash command: foo"), "local_error"],
  ["a hook that stopped it", line("Operation stopped by hook: no"), "hook"],
  ["the IDE's context alone", line([text(reading)]), "ide_context"],
  ["no content", line(""), "ide_context"],
  ["a content of a wrong type", line(7), "ide_context"],
  ["no message", { type: "user", uuid: "u1" }, "ide_context"],
])("%s", (_, one, expected) => {
  expect(classifyUser(one)).toBe(expected);
});

test("the text of a line is its text blocks", () => {
  expect(userText(line([text("a"), image, text("b"), null, { type: "text", text: 5 }]))).toBe("a\nb");
  expect(userText(line("a"))).toBe("a");
  expect(userText(line(null))).toBe("");
});

describe("the IDE's context", () => {
  const selection = "<ide_selection>The user selected\nlines 1 to 3</ide_selection>";

  test.each([
    ["none", "Fix it.  ", "Fix it.  ", []],
    ["before the prompt", `${reading}\nFix it.`, "Fix it.", [reading]],
    ["behind the prompt", `Fix it.\n${selection}`, "Fix it.", [selection]],
    ["several", `${reading}\n${selection}\nFix it.`, "Fix it.", [reading, selection]],
    ["alone", reading, "", [reading]],
    ["never closed", "<ide_selection>Fix it.", "<ide_selection>Fix it.", []],
  ])("%s", (_, raw, prompt, context) => {
    expect(splitIdeContext(raw)).toEqual({ prompt, context });
  });
});
