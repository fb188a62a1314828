import type { Entry, ToolUse } from "./entry.ts";
import { asBlocks, asNumber, asObject, asText, blockTexts, type Line, timeOf } from "./line.ts";

/** An `assistant` line: one content block of an API message, as a rule. Thinking is dropped. */
export function answerOf(line: Line): Entry {
  const uuid = asText(line.uuid);
  if (uuid === undefined) return { kind: "skipped", reason: "assistant without uuid" };
  if (line.isSidechain === true || typeof line.agentId === "string") return { kind: "nothing" };
  const message = asObject(line.message);
  const blocks = asBlocks(message.content);
  if (message.model === "<synthetic>") return syntheticOf(line, uuid, blocks);
  const model = asText(message.model);
  const contextTokens = contextTokensOf(asObject(message.usage));
  return {
    kind: "answer",
    uuid,
    at: timeOf(line),
    texts: blockTexts(blocks).filter((text) => text.trim() !== "" && text !== "(no content)"),
    tools: blocks.flatMap(toolUseOf),
    ...(model === undefined ? {} : { model }),
    ...(contextTokens === 0 ? {} : { contextTokens }),
  };
}

// The client's own words in the assistant's place: an API error is kept as a notice, the filler is nobody's.
function syntheticOf(line: Line, uuid: string, blocks: readonly Line[]): Entry {
  const text = blockTexts(blocks).join("\n");
  if (line.isApiErrorMessage !== true || text === "") return { kind: "nothing" };
  return { kind: "notice", uuid, at: timeOf(line), tool: "api_error", text };
}

function toolUseOf(block: Line): ToolUse[] {
  const id = asText(block.id);
  if ((block.type !== "tool_use" && block.type !== "server_tool_use") || id === undefined) return [];
  return [{ id, name: asText(block.name) ?? "unknown", input: JSON.stringify(block.input ?? {}) }];
}

const contextTokensOf = (usage: Line): number =>
  asNumber(usage.input_tokens) +
  asNumber(usage.cache_creation_input_tokens) +
  asNumber(usage.cache_read_input_tokens) +
  asNumber(usage.output_tokens);
