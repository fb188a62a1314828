import { asObject, type Line } from "./line.ts";

/**
 * The JSON objects of one line of a transcript: one as a rule; two where a tool merged files without a newline. A byte
 * order mark and the NULs that a power cut leaves behind are passed over.
 * @returns the objects, and how many pieces of the line were none
 */
export function parseLine(text: string): { lines: Line[]; damaged: number } {
  const whole = parse(text);
  if (whole !== undefined) return { lines: [whole], damaged: 0 };
  const clean = text
    .replace(/^\ufeff/, "")
    .replaceAll("\0", "")
    .trim();
  const lines: Line[] = [];
  let damaged = 0;
  for (const piece of splitObjects(clean)) {
    const line = parse(piece);
    if (line) lines.push(line);
    else damaged += 1;
  }
  return { lines, damaged };
}

function parse(text: string): Line | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// Cuts behind every closing brace of the outermost level; braces within strings are text.
function splitObjects(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (quoted && mark === "\\") at += 1;
    else if (mark === '"') quoted = !quoted;
    else if (mark === "{" && !quoted) depth += 1;
    else if (mark === "}" && !quoted) {
      depth -= 1;
      if (depth > 0) continue;
      pieces.push(text.slice(from, at + 1));
      from = at + 1;
      depth = 0;
    }
  }
  const rest = text.slice(from).trim();
  return rest === "" ? pieces : [...pieces, rest];
}
