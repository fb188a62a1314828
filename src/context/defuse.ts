import { makeMarks } from "./marks.ts" with { type: "macro" };
import type { Marks } from "./marks.ts";

/** Units of a line within which a mark of ours shows, invisible signs among them. */
const reach = 160;
const tagReach = 64;
/** What a tag may begin with; nothing where a line begins. */
const tags = ["<", "\ufe64", "\uff1c"];

/** The text as it looks at a glance: full-width and other forms of letters as plain ones, in lower case, with single blanks. */
const fold = (text: string, unseen: RegExp): string => {
  const plain = isAscii(text) ? text : text.normalize("NFKC").replace(unseen, "").trimStart();
  return plain.toLowerCase().replace(/\s+/g, " ");
};

const isAscii = (text: string): boolean => !/[^\u0000-\u007f]/.test(text);

/** What may stand behind a tag's bracket; most brackets are none of a tag of the client's. */
const mayBeTag = /[spSP/\s]|(?![\ufe64\uff1c])[^\u0000-\u007f]/;

interface Known extends Pick<Marks, "openings" | "headings"> {
  candidates: RegExp;
  shapes: RegExp;
  blanks: RegExp;
  unseen: RegExp;
}

let known: Known | undefined; // made when it is needed: every hook loads this file

function compile(): Known {
  const { openings, headings, candidates, shapes, blanks, unseen } = makeMarks();
  return {
    openings,
    headings,
    candidates: new RegExp(candidates, "gm"),
    shapes: new RegExp(shapes),
    blanks: new RegExp(blanks, "uy"),
    unseen: new RegExp(unseen, "gu"),
  };
}

/** Whether a folded line or tag is a mark of ours, or of the client's. */
const isMark = (seen: string, { openings, headings, shapes }: Known): boolean =>
  openings.some(({ first, second }) => seen.startsWith(first) && isSoon(seen.slice(first.length), second)) ||
  isHeading(seen, headings) ||
  shapes.test(seen);

/** Units that what a sentence of ours says in between may take. */
const between = 60;

function isSoon(rest: string, words: string): boolean {
  const at = rest.indexOf(words);
  return at !== -1 && at <= between;
}

function isHeading(seen: string, headings: readonly string[]): boolean {
  if (!seen.startsWith("#")) return false;
  const text = seen.replace(/^#{1,6} ?/, "");
  return headings.some((heading) => text.startsWith(heading));
}

/**
 * Stored text that looks like a mark of ours at a line's beginning, or like a tag of the client's anywhere, is told with a
 * backslash before it, or in it: in whichever language, case and width, and with invisible signs in it.
 */
export function defuse(text: string): string {
  known ??= compile();
  const marks = known;
  return text.replace(marks.candidates, (found, at: number) => {
    const isTag = tags.includes(found);
    if (isTag && !mayBeTag.test(text.charAt(at + 1))) return found;
    const seen = isTag ? text.slice(at, at + tagReach) : lineFrom(text, at + found.length, marks.blanks);
    return isMark(fold(seen, marks.unseen), marks) ? `${found}\\` : found;
  });
}

const lineEnd = /[\n\r\v\f\u0085\u2028\u2029]/;

// Blanks and invisible signs before a mark may be many.
function lineFrom(text: string, at: number, blanks: RegExp): string {
  blanks.lastIndex = at;
  if (!/^[!-~]/.test(text.charAt(at))) blanks.test(text);
  const start = blanks.lastIndex;
  const line = text.slice(start, start + reach);
  const end = line.search(lineEnd);
  return end === -1 ? line : line.slice(0, end);
}

/** Text that goes on within a line where a new line begins for who reads it: its first line could be a mark there. */
export function defuseStart(text: string): string {
  const end = text.search(/[\n\r\u2028\u2029]|$/);
  return defuse(text.slice(0, end)) + text.slice(end);
}
