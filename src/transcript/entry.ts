import { answerOf } from "./answer.ts";
import { attachmentOf } from "./attachment.ts";
import { asBlocks, asObject, asText, type Line, timeOf } from "./line.ts";
import { type Media, mediaOf } from "./media.ts";
import { resultsOf, type ToolResult } from "./results.ts";
import { classifyUser, splitIdeContext, userText } from "./user.ts";

/** What every entry has. `at` is UTC milliseconds, 0 where the line carries no time. */
interface Base {
  uuid: string;
  at: number;
}

/** Where a prompt hangs in the tree, and the folder it was given in. */
interface Placed extends Base {
  parentUuid: string | null;
  cwd?: string;
}

/** One transcript line as the conversation sees it. */
export type Entry =
  | (Placed & { kind: "prompt"; text: string; context: string[]; media: Media[] })
  /** A slash command; whether it is a turn is known when something answers it. */
  | (Placed & { kind: "command"; text: string; hasArguments: boolean; own: boolean })
  | (Placed & { kind: "shell"; text: string })
  | (Base & { kind: "shell_output"; text: string })
  | (Base & { kind: "answer"; texts: string[]; tools: ToolUse[]; model?: string; contextTokens?: number })
  | (Base & { kind: "results"; results: ToolResult[]; said: string[] })
  | (Base & { kind: "queued"; text: string })
  | { kind: "queue"; operation: string; text?: string; at: number }
  | (Base & { kind: "interrupt" })
  | (Base & { kind: "notice"; tool: string; text: string; input?: string })
  /** Known to hold nothing of the conversation. */
  | { kind: "nothing" }
  /** Not known; skipped and counted. */
  | { kind: "skipped"; reason: string };

export interface ToolUse {
  id: string;
  name: string;
  input: string;
}

const nothing: Entry = { kind: "nothing" };

/** State and bookkeeping lines of the client that hold nothing of the conversation. */
export const silentTypes = new Set([
  "progress",
  "file-history-snapshot",
  "file-history-delta",
  "summary",
  "last-prompt",
  "permission-mode",
  "mode",
  "ai-title",
  "custom-title",
  "agent-name",
  "agent-color",
  "agent-setting",
  "atis-latch",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "cost-state",
  "pr-link",
  "tools-used",
  "bridge-session",
  "frame-link",
  "content-replacement",
  "relocated",
  "worktree-state",
  "history-suppression",
  "attribution-snapshot",
  "fork-context-ref",
  "continued-in",
  "ended-by-model",
  "isolation-latch",
  "observer-ref",
  "tag",
  "launched",
  "started",
  "result",
  "failed",
  "artifact-autoreact-ledger",
  "artifact-comment-monitor",
]);

/** One line of a transcript, parsed, as an entry. Never throws: what it cannot read is `skipped` with the reason. */
export function toEntry(line: Line): Entry {
  const type = asText(line.type);
  if (type === undefined) return { kind: "skipped", reason: "no type" };
  if (type === "user") return userEntry(line);
  if (type === "assistant") return answerOf(line);
  if (type === "attachment") return attachmentOf(line);
  if (type === "system") return systemEntry(line);
  if (type === "queue-operation") return queueEntry(line);
  return silentTypes.has(type) || type.startsWith("marble-origami")
    ? nothing
    : { kind: "skipped", reason: `type ${type.slice(0, 40)}` };
}

function userEntry(line: Line): Entry {
  const uuid = asText(line.uuid);
  if (uuid === undefined) return { kind: "skipped", reason: "user without uuid" };
  const base = { uuid, at: timeOf(line) };
  const text = userText(line);
  switch (classifyUser(line)) {
    case "prompt":
      return promptEntry(line, place(line, base), text);
    case "tool_result":
      return { kind: "results", ...base, ...resultsOf(line) };
    case "command":
      return commandEntry(place(line, base), text);
    case "shell":
      return { kind: "shell", ...place(line, base), text: inner(text, "bash-input") ?? "" };
    case "shell_output":
      return {
        kind: "shell_output",
        ...base,
        text: [inner(text, "bash-stdout"), inner(text, "bash-stderr")].filter(Boolean).join("\n"),
      };
    case "interrupt":
      return { kind: "interrupt", ...base };
    case "command_output":
      return notice(base, "command", outputOf(text));
    case "summary":
      return notice(base, "summary", text);
    case "injected":
    case "notification":
      return notice(base, "notification", text);
    case "local_error":
    case "hook":
      return notice(base, "client", text);
    case "ide_context":
      return notice(base, "ide", text);
    case "sidechain":
    case "meta":
    case "skill":
      return nothing;
  }
}

const place = (line: Line, base: Base): Placed => {
  const cwd = asText(line.cwd);
  return { ...base, parentUuid: asText(line.parentUuid) ?? null, ...(cwd === undefined ? {} : { cwd }) };
};

const notice = (base: Base, tool: string, text: string): Entry =>
  text.trim() === "" ? nothing : { kind: "notice", ...base, tool, text };

function promptEntry(line: Line, placed: Placed, raw: string): Entry {
  const { prompt, context } = splitIdeContext(raw);
  const media = asBlocks(asObject(line.message).content).flatMap(mediaOf);
  return { kind: "prompt", ...placed, text: prompt, context, media };
}

// The text between a tag's first opening and last closing: what the client wraps may itself hold the tag.
function inner(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.lastIndexOf(`</${tag}>`);
  return start === -1 || end === -1 ? undefined : text.slice(start + tag.length + 2, end);
}

const outputOf = (text: string): string =>
  inner(text, "local-command-stdout") ?? inner(text, "local-command-stderr") ?? text;

const ownCommand = /^\/(throughline:|sc-detail$)/;

function commandEntry(placed: Placed, text: string): Entry {
  const name = (inner(text, "command-name") ?? inner(text, "command-message") ?? "").trim();
  const slashed = name.startsWith("/") ? name : `/${name}`;
  const args = (inner(text, "command-args") ?? "").trim();
  return {
    kind: "command",
    ...placed,
    text: args === "" ? slashed : `${slashed} ${args}`,
    hasArguments: args !== "",
    own: ownCommand.test(slashed),
  };
}

function systemEntry(line: Line): Entry {
  const uuid = asText(line.uuid);
  const content = asText(line.content) ?? "";
  if (uuid === undefined || line.isSidechain === true) return nothing;
  const base = { uuid, at: timeOf(line) };
  if (line.subtype === "local_command") return localCommandEntry(line, base, content);
  if (line.subtype === "away_summary") return notice(base, "away_summary", content);
  return nothing;
}

// Clients write a local slash command either as a `user` line or, some versions, as `system/local_command` with the same tags.
function localCommandEntry(line: Line, base: Base, content: string): Entry {
  if (content.trimStart().startsWith("<command-")) return commandEntry(place(line, base), content);
  return notice(base, "command", outputOf(content));
}

function queueEntry(line: Line): Entry {
  const operation = asText(line.operation);
  if (operation === undefined) return { kind: "skipped", reason: "queue-operation without operation" };
  const text = asText(line.content);
  return { kind: "queue", operation, at: timeOf(line), ...(text === undefined ? {} : { text }) };
}
