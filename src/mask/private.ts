import { asObject, type Line } from "../transcript/line.ts";

const tag = /<(\/?)private>/gi;
const mark = "[private]";

/** The text with `[private]` in the place of all that stands between `<private>` and `</private>`, or the text's end. */
export function withoutPrivate(text: string): string {
  let [kept, from, depth] = ["", 0, 0];
  for (const found of text.matchAll(tag)) {
    const closes = found[1] === "/";
    if (depth === 0 && closes) continue;
    if (depth === 0) kept += text.slice(from, found.index) + mark;
    depth += closes ? -1 : 1;
    if (depth === 0) from = found.index + found[0].length;
  }
  return depth > 0 ? kept : kept + text.slice(from);
}

/**
 * A line of a transcript without what the person called private: in prompts, commands and queued texts, wherever the
 * client repeats them. What a tool printed or Claude said is left as it is.
 */
export function dropPrivate(line: Line): Line {
  const { type, message } = line;
  if (type === "assistant") return line;
  const content = asObject(message).content;
  const isResult = Array.isArray(content) && content.some((block) => asObject(block).type === "tool_result");
  return isResult ? line : (deepWithout(line) as Line);
}

function deepWithout(value: unknown): unknown {
  if (typeof value === "string") return withoutPrivate(value);
  if (Array.isArray(value)) return value.map(deepWithout);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, deepWithout(inner)]));
}
