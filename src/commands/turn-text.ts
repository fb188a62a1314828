import { defuse } from "../context/defuse.ts";
import type { Detail, Message } from "../types.ts";

/**
 * One turn as text: its conversation, then its tool traffic grouped by kind, each input with its output. What poses as a mark
 * of ours is told as such, as the model reads it; JSON has it to the letter.
 */
export function turnText(
  label: string,
  session: string,
  messages: readonly Message[],
  details: readonly Detail[],
): string {
  const sections = [
    `## ${label} (session ${oneLine(session.slice(0, 8))})`,
    messages.map(({ role, text }) => `[${role}]: ${defuse(text)}`).join("\n\n"),
    ...section("Tools", toolCalls(details)),
    ...section("System", details.filter((detail) => detail.kind === "system").map(systemText)),
    ...section(
      "Images",
      details.filter((detail) => detail.kind === "image").map((detail) => detail.output ?? ""),
    ),
  ];
  return sections.filter((part) => part !== "").join("\n\n");
}

// Names are whatever a transcript says they are.
const oneLine = (name: string): string => name.replace(/\s+/g, " ");

const section = (title: string, entries: readonly string[]): string[] =>
  entries.length === 0 ? [] : [`### ${title} (${entries.length})`, ...entries];

function toolCalls(details: readonly Detail[]): string[] {
  const outputs = new Map(
    details.filter((detail) => detail.kind === "tool_output").map((detail) => [detail.sourceId, detail]),
  );
  const calls = details.filter((detail) => detail.kind === "tool_input");
  const paired = calls.map((call) => {
    const output = outputs.get(`${call.sourceId}:result`);
    outputs.delete(`${call.sourceId}:result`);
    return callText(call.tool ?? "tool", inputText(call.input ?? ""), output?.output);
  });
  return [...paired, ...[...outputs.values()].map((output) => callText(output.tool ?? "tool", "", output.output))];
}

const callText = (tool: string, input: string, output: string | undefined): string =>
  [`#### ${oneLine(tool)}`, defuse(input), ...(output === undefined ? ["(no output)"] : ["→", defuse(output)])]
    .filter((part) => part !== "")
    .join("\n");

/** A call's input, one `key: value` a line. */
function inputText(input: string): string {
  const fields = parseFields(input);
  if (!fields) return input;
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}

function parseFields(input: string): Record<string, unknown> | undefined {
  if (!input.startsWith("{")) return undefined;
  try {
    return JSON.parse(input) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const systemText = (detail: Detail): string =>
  [`#### ${oneLine(detail.tool ?? "system")}`, defuse(detail.input ?? ""), defuse(detail.output ?? "")]
    .filter((part) => part !== "")
    .join("\n");
