import type { Base, Entry, ToolUse } from "./entry.ts";
import { asBlocks, asCount, asObject, asText, blockTexts, type Line } from "./line.ts";

/** Whether an `assistant` line is the model's, the client's report of an API error, or the client's filler. */
export function answerKind(line: Line): "answer" | "api_error" | "filler" {
  const message = asObject(line.message);
  if (message.model !== "<synthetic>") return "answer";
  return line.isApiErrorMessage === true && blockTexts(asBlocks(message.content)).join("") !== ""
    ? "api_error"
    : "filler";
}

/** An `assistant` line: one content block of an API message, as a rule. Thinking is dropped. */
export function answerOf(line: Line, base: Base): Entry {
  const message = asObject(line.message);
  const blocks = asBlocks(message.content);
  if (answerKind(line) === "api_error") {
    return { kind: "notice", ...base, tool: "api_error", text: blockTexts(blocks).join("\n") };
  }
  const model = asText(message.model);
  const contextTokens = contextTokensOf(asObject(message.usage));
  return {
    kind: "answer",
    ...base,
    texts: blockTexts(blocks).filter((text) => text.trim() !== "" && text !== "(no content)"),
    tools: blocks.flatMap(toolUseOf),
    block: {
      messageId: asText(message.id) ?? null,
      thinking: blocks.length > 0 && blocks.every(({ type }) => type === "thinking" || type === "redacted_thinking"),
      index: typeof line.apiBlockIndex === "number" ? line.apiBlockIndex : null,
    },
    ...(model === undefined ? {} : { model }),
    ...(contextTokens === 0 ? {} : { contextTokens }),
  };
}

function toolUseOf(block: Line): ToolUse[] {
  const id = asText(block.id);
  if ((block.type !== "tool_use" && block.type !== "server_tool_use") || id === undefined) return [];
  return [{ id, name: asText(block.name) ?? "unknown", input: JSON.stringify(block.input ?? {}) }];
}

const contextTokensOf = (usage: Line): number =>
  asCount(usage.input_tokens) +
  asCount(usage.cache_creation_input_tokens) +
  asCount(usage.cache_read_input_tokens) +
  asCount(usage.output_tokens);
