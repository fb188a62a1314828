import { asBlocks, asObject, asText, blockTexts, type Line } from "./line.ts";
import { type Media, mediaOf } from "./media.ts";

export interface ToolResult {
  toolUseId: string;
  text: string;
  media: Media[];
}

const reminder = /\s*<system-reminder>[\s\S]*?<\/system-reminder>/g;
const rejection = "The user doesn't want to proceed with this tool use";
const userSaid = "the user said:\n";
const answered = /^(User has answered your questions|Your questions have been answered)/;

/**
 * A `user` line with `tool_result` blocks: the results, and the human words among them (the reason of a rejection, the
 * answers to questions, text beside a result), which are cut from the results.
 */
export function resultsOf(line: Line): { results: ToolResult[]; said: string[] } {
  const blocks = asBlocks(asObject(line.message).content);
  const said: string[] = [];
  const results = blocks.flatMap((block): ToolResult[] => {
    const toolUseId = asText(block.tool_use_id);
    if (block.type !== "tool_result" || toolUseId === undefined) return [];
    const content = asBlocks(block.content);
    const split = splitWords(blockTexts(content).join("\n").replace(reminder, ""), line);
    said.push(...split.said);
    return [{ toolUseId, text: split.text, media: content.flatMap(mediaOf) }];
  });
  const beside = blockTexts(blocks).filter(
    (text) => !/^\s*(<system-reminder>|\[Request interrupted by user)/.test(text),
  );
  return { results, said: [...said, ...beside].filter((text) => text.trim() !== "") };
}

function splitWords(text: string, line: Line): { text: string; said: string[] } {
  if (text.startsWith(rejection)) {
    const at = text.indexOf(userSaid);
    if (at === -1) return { text, said: [] };
    return { text: text.slice(0, at).trimEnd(), said: [text.slice(at + userSaid.length)] };
  }
  const answers = asObject(asObject(line.toolUseResult).answers);
  if (!answered.test(text) || Object.keys(answers).length === 0) return { text, said: [] };
  const pairs = Object.entries(answers).map(
    ([question, answer]) => `${question}\n→ ${asText(answer) ?? JSON.stringify(answer)}`,
  );
  return { text: "The person answered.", said: [pairs.join("\n")] };
}
