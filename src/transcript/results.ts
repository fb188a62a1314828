import { cutElements } from "./elements.ts";
import { asBlocks, asObject, asText, blockTexts, type Line } from "./line.ts";
import { type Media, mediaOf } from "./media.ts";

export interface ToolResult {
  toolUseId: string;
  text: string;
  media: Media[];
  /** Where the client put the whole of a large output; `text` is its beginning. */
  file?: string;
}

const rejection = "The user doesn't want to proceed with this tool use";
/** What the client lets the person say who would rather talk than choose. */
const clarify = "The user wants to clarify these questions.";
const userSaid = "the user said:\n";
const persisted = /^<persisted-output>\n[^\n]{1,200}Full output saved to: ([^\n]+)\n/;
const answered = /^(?:User has answered your questions|Your questions have been answered|The user answered): ?/;
const goOn = /\.? (?:You can now continue|Read the answers carefully)[^\n]*$/;
/** How the client says that the person interrupted Claude. */
export const interruption = /^\s*\[Request interrupted by user/;

/** What a `user` line with tool results holds. */
export interface Results {
  results: ToolResult[];
  said: string[];
  /** What stands beside the results. */
  media: Media[];
  interrupted?: true;
}

/**
 * A `user` line with `tool_result` blocks: the results, and the human words among them (the reason of a rejection, the
 * answers to questions, text beside a result), which are cut from the results.
 */
export function resultsOf(line: Line): Results {
  const blocks = asBlocks(asObject(line.message).content);
  const said: string[] = [];
  const results = blocks.flatMap((block): ToolResult[] => {
    const toolUseId = asText(block.tool_use_id);
    if (block.type !== "tool_result" || toolUseId === undefined) return [];
    const content = asBlocks(block.content);
    const split = splitWords(withoutReminders(blockTexts(content).join("\n")), line);
    said.push(...split.said);
    const file = persisted.exec(split.text)?.[1];
    return [{ toolUseId, text: split.text, media: content.flatMap(mediaOf), ...(file === undefined ? {} : { file }) }];
  });
  const beside = blockTexts(blocks).filter((text) => !/^\s*<system-reminder>/.test(text));
  const words = beside.filter((text) => !interruption.test(text));
  return {
    results,
    said: [...said, ...words].filter((text) => text.trim() !== ""),
    media: blocks.flatMap(mediaOf),
    ...(words.length < beside.length ? { interrupted: true } : {}),
  };
}

// The client's reminders to the model stand behind a result, or are its whole text.
function withoutReminders(text: string): string {
  const cut = cutElements(text, ["system-reminder"]);
  return cut.elements.length > 0 ? cut.text.trimEnd() : text;
}

function splitWords(text: string, line: Line): { text: string; said: string[] } {
  if (text.startsWith(rejection)) {
    const at = text.indexOf(userSaid);
    if (at === -1 || text.startsWith(clarify, at + userSaid.length)) return { text, said: [] };
    return { text: text.slice(0, at).trimEnd(), said: [text.slice(at + userSaid.length)] };
  }
  const answers = asObject(asObject(line.toolUseResult).answers);
  if (Object.keys(answers).length === 0) {
    const told = answered.exec(text);
    return told
      ? { text: "The person answered.", said: [text.slice(told[0].length).replace(goOn, "")] }
      : { text, said: [] };
  }
  const pairs = Object.entries(answers).map(
    ([question, answer]) => `${question}\n→ ${asText(answer) ?? JSON.stringify(answer)}`,
  );
  return { text: "The person answered.", said: [pairs.join("\n")] };
}
