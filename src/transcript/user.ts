import { cutElements } from "./elements.ts";
import { asBlocks, asObject, asText, blockTexts, type Line } from "./line.ts";

/**
 * What a `user` line is. Most are no prompt: of 82,631 measured lines 4,562 were typed by a person.
 * The rules and their order are those of docs/transcript.md.
 */
export type UserClass =
  | "sidechain"
  | "summary"
  | "tool_result"
  | "meta"
  | "injected"
  | "interrupt"
  | "skill"
  | "command"
  | "command_output"
  | "shell"
  | "shell_output"
  | "notification"
  | "local_error"
  | "hook"
  | "plan"
  | "ide_context"
  | "prompt";

/** How the client's own notices begin, in a line of their own and in the queue. */
export const notification =
  /^<(task-notification|bash-notification|teammate-message|agent-notification|local-command-caveat)\b/;
const pastedMark = /<pasted_content id="([^"<>]{1,80})">\n?/g;
const localErrors = ["Unknown skill: ", "Unknown slash command: ", "This slash command can only be invoked by Claude"];
const planStart = "Implement the following plan:";
const longPlan = 500;
const summaryStart = "This session is being continued from a previous conversation";

/** The line's text blocks as one text. */
export const userText = (line: Line): string => blockTexts(asBlocks(asObject(line.message).content)).join("\n");

/** The prompt without the IDE's context blocks, and those blocks. */
export function splitIdeContext(text: string): { prompt: string; context: string[] } {
  const cut = cutElements(text, ["ide_opened_file", "ide_selection"]);
  return { prompt: cut.elements.length > 0 ? cut.text.trim() : text, context: cut.elements };
}

/** The text without the marks that the client puts around what a person pasted; what was pasted stays. */
export function unwrapPasted(text: string): string {
  if (!text.includes("<pasted_content")) return text;
  const ids = new Set([...text.matchAll(pastedMark)].map((mark) => mark[1] ?? ""));
  return [...ids].reduce<string>((rest, id) => {
    const closing = `</pasted_content id="${id}">`;
    return rest.includes(closing)
      ? rest.replaceAll(`<pasted_content id="${id}">\n`, "").replaceAll(`\n${closing}`, "").replaceAll(closing, "")
      : rest;
  }, text);
}

/** Classifies a `user` line; the first rule that matches decides. */
export function classifyUser(line: Line): UserClass {
  if (line.isSidechain === true || typeof line.agentId === "string") return "sidechain";
  const blocks = asBlocks(asObject(line.message).content);
  const text = blockTexts(blocks).join("\n");
  if (line.isCompactSummary === true || text.startsWith(summaryStart)) return "summary";
  if (blocks.some((block) => block.type === "tool_result")) return "tool_result";
  if (line.isMeta === true) return "meta";
  if (isPlan(line, text)) return "plan";
  if (isInjected(line)) return "injected";
  return classifyText(line, text, blocks);
}

const isPlan = (line: Line, text: string): boolean =>
  text.startsWith(planStart) && (typeof line.planContent === "string" || text.length >= longPlan);

function isInjected(line: Line): boolean {
  const kind = asText(asObject(line.origin).kind);
  return (
    (kind !== undefined && kind !== "human") || line.promptSource === "system" || typeof line.teamName === "string"
  );
}

function classifyText(line: Line, raw: string, blocks: readonly Line[]): UserClass {
  const text = raw.trimStart();
  if (text.startsWith("[Request interrupted by user")) return "interrupt";
  if (text.startsWith("<command-name>") || text.startsWith("<command-message>")) {
    return typeof line.sourceToolUseID === "string" ? "skill" : "command";
  }
  if (text.startsWith("<local-command-stdout>") || text.startsWith("<local-command-stderr>")) return "command_output";
  if (text.startsWith("<bash-input>")) return "shell";
  if (text.startsWith("<bash-stdout>") || text.startsWith("<bash-stderr>")) return "shell_output";
  if (text.startsWith("<") && notification.test(text)) return "notification";
  if (text.length < 300 && localErrors.some((start) => text.startsWith(start))) return "local_error";
  if (text.startsWith("Operation stopped by hook")) return "hook";
  const hasMedia = blocks.some((block) => block.type === "image" || block.type === "document");
  if (splitIdeContext(text).prompt === "" && !hasMedia) return "ide_context";
  return "prompt";
}
