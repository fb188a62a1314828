import { defuse } from "../context/defuse.ts";
import { fieldsOf, pairCalls } from "../pages/calls.ts";
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

const toolCalls = (details: readonly Detail[]): string[] =>
  pairCalls(details).map(({ tool, input, output }) =>
    [
      `#### ${oneLine(tool)}`,
      defuse(inputText(input ?? "")),
      ...(output === undefined ? ["(no output)"] : ["→", defuse(output)]),
    ]
      .filter((part) => part !== "")
      .join("\n"),
  );

/** A call's input, one `key: value` a line. */
const inputText = (input: string): string =>
  fieldsOf(input)
    ?.map(([key, value]) => `${key}: ${value}`)
    .join("\n") ?? input;

const systemText = (detail: Detail): string =>
  [`#### ${oneLine(detail.tool ?? "system")}`, defuse(detail.input ?? ""), defuse(detail.output ?? "")]
    .filter((part) => part !== "")
    .join("\n");
