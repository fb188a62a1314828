import type { ReplyBlock } from "./reply.ts";
import { type Request, textOf } from "./request.ts";

/** True where the client asks for lines of older turns. */
export const asksForLines = (request: Request): boolean =>
  request.tools?.length === 1 && request.tools[0]?.name === "StructuredOutput";

/** The text of each turn that a request for lines brings, in order. */
export const turnsIn = (request: Request): string[] =>
  [...textOf(request).matchAll(/^<([0-9a-f]{8}) \d+ max=\d+[^\n]*>\n([\s\S]*?)\n<\/\1>$/gm)].map(
    ([, , text]) => text as string,
  );

/** The line that the stand-in writes of a turn. */
export const lineAbout = (label: string): string =>
  `The person wanted ${label} looked at; the assistant found harbour and copper there and described it line by line.`;

/** The stand-in's answer: a line for each turn, by the label it carries. */
export function linesFor(request: Request, number: number): ReplyBlock {
  const lines = turnsIn(request).map((text, n) => ({
    n: n + 1,
    line: lineAbout(/[a-z]+-\d\d/.exec(text)?.[0] ?? "?"),
  }));
  return { type: "tool_use", id: `toolu_lines_${number}`, name: "StructuredOutput", input: { lines } };
}
