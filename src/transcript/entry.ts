import { answerKind, answerOf } from "./answer.ts";
import { attachmentOf } from "./attachment.ts";
import { commandOf, inner, outputOf } from "./command.ts";
import { asBlocks, asObject, asText, blockTexts, type Line, timeOf } from "./line.ts";
import { type Media, mediaOf } from "./media.ts";
import { interruption, type Results, resultsOf } from "./results.ts";
import { lineTable } from "./table.ts";
import { classifyUser, splitIdeContext, type UserClass, unwrapPasted, userText } from "./user.ts";

/** What every entry has. `at` is UTC milliseconds, 0 where the line carries no time. */
export interface Base {
  uuid: string;
  at: number;
  /** The line is a fork's copy under a new uuid. */
  copied?: true;
}

/** Where a prompt hangs in the tree, and the folder it was given in. */
export interface Placed extends Base {
  parentUuid: string | null;
  cwd?: string;
}

/** One transcript line as the conversation sees it. */
export type Entry =
  | (Placed & { kind: "prompt"; text: string; context: string[]; media: Media[] })
  /** A plan that the model wrote and the person accepted with a fresh context. */
  | (Placed & { kind: "plan"; text: string })
  /** A slash command; one that does not ask Claude for sure is a turn only if something answers it. */
  | (Placed & { kind: "command"; text: string; asksClaude: boolean; own: boolean })
  | (Placed & { kind: "shell"; text: string })
  | (Base & { kind: "shell_output"; text: string })
  | (Base & {
      kind: "answer";
      texts: string[];
      tools: ToolUse[];
      model?: string;
      contextTokens?: number;
      block: AnswerBlock;
    })
  | (Base & Results & { kind: "results" })
  | (Base & { kind: "queued"; text: string; media: Media[] })
  | { kind: "queue"; operation: string; text?: string; at: number }
  /** With the words that stand beside it in the line, as a rule none. */
  | (Base & { kind: "interrupt"; said: string[] })
  | (Base & { kind: "notice"; tool: string; text: string; input?: string })
  /** Known to hold nothing of the conversation. */
  | { kind: "nothing" }
  /** Not known; skipped and counted. */
  | { kind: "skipped"; reason: string };

/** Which block of which API message an assistant line is. */
export interface AnswerBlock {
  messageId: string | null;
  thinking: boolean;
  /** The block's number within the message, where the client tells it. */
  index: number | null;
}

export interface ToolUse {
  id: string;
  name: string;
  input: string;
}

/** What the client adds to a plan that it hands on. */
const planHint = /\n+If you need specific details from before exiting plan mode[\s\S]*$/;
const nothing: Entry = { kind: "nothing" };
const longestReason = 60;

/** One line of a transcript, parsed, as an entry. Never throws: what it cannot read is `skipped` with the reason. */
export function toEntry(line: Line): Entry {
  const kind = kindOf(line);
  if (kind === undefined) return { kind: "skipped", reason: "no type" };
  const kept = Object.hasOwn(lineTable, kind) ? lineTable[kind] : undefined;
  if (!kept) return { kind: "skipped", reason: kind.slice(0, longestReason) };
  const uuid = asText(line.uuid);
  if (line.type === "queue-operation") return queueEntry(line);
  if (kind === "user/interrupt" && uuid !== undefined) {
    const said = blockTexts(asBlocks(asObject(line.message).content)).filter((text) => !interruption.test(text));
    return { kind: "interrupt", ...baseOf(line, uuid), said };
  }
  if (kept.length === 0) return nothing;
  return uuid === undefined ? { kind: "skipped", reason: `${kind} without uuid` } : keptEntry(line, kind, uuid);
}

/** The line's kind as `lineTable` names it; `undefined` where it has no type. */
export function kindOf(line: Line): string | undefined {
  const type = asText(line.type);
  if (type === undefined) return undefined;
  if (line.isSidechain === true || (typeof line.agentId === "string" && type !== "queue-operation")) return "sidechain";
  if (type === "user") return `user/${classifyUser(line)}`;
  if (type === "assistant") return `assistant/${answerKind(line)}`;
  if (type === "attachment") return `attachment/${asText(asObject(line.attachment).type) ?? "untyped"}`;
  if (type === "system") return `system/${asText(line.subtype) ?? "untyped"}`;
  if (type === "queue-operation") return `queue-operation/${asText(line.operation) ?? "untyped"}`;
  return type.startsWith("marble-origami") ? "marble-origami" : type;
}

function keptEntry(line: Line, kind: string, uuid: string): Entry {
  const base = baseOf(line, uuid);
  if (line.type === "user") return userEntry(line, kind.slice("user/".length) as UserClass, base);
  if (line.type === "assistant") return answerOf(line, base);
  if (line.type === "attachment") return attachmentOf(line, base);
  return systemEntry(line, base);
}

function baseOf(line: Line, uuid: string): Base {
  const copied = asText(asObject(line.forkedFrom).sessionId) !== undefined;
  return { uuid, at: timeOf(line), ...(copied ? { copied } : {}) };
}

function userEntry(line: Line, userClass: UserClass, base: Base): Entry {
  const text = userText(line);
  switch (userClass) {
    case "prompt":
      return promptEntry(line, place(line, base), text);
    case "plan":
      return { kind: "plan", ...place(line, base), text: text.replace(planHint, "") };
    case "tool_result":
      return { kind: "results", ...base, ...resultsOf(line) };
    case "command":
      return commandOf(place(line, base), text, line.rowSource === "local");
    case "shell":
      return { kind: "shell", ...place(line, base), text: inner(text, "bash-input") ?? "" };
    case "shell_output":
      return {
        kind: "shell_output",
        ...base,
        text: [inner(text, "bash-stdout"), inner(text, "bash-stderr")].filter(Boolean).join("\n"),
      };
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
    case "interrupt":
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
  return { kind: "prompt", ...placed, text: unwrapPasted(prompt), context, media };
}

function systemEntry(line: Line, base: Base): Entry {
  const content = asText(line.content) ?? "";
  if (line.subtype === "away_summary") return notice(base, "away_summary", content);
  // Clients write a local slash command as a `user` line or, some versions, as `system/local_command` with the same tags.
  if (content.trimStart().startsWith("<command-")) return commandOf(place(line, base), content, true);
  return notice(base, "command", outputOf(content));
}

function queueEntry(line: Line): Entry {
  const text = asText(line.content);
  const operation = asText(line.operation) ?? "";
  return { kind: "queue", operation, at: timeOf(line), ...(text === undefined ? {} : { text }) };
}
