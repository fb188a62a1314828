import { markSources } from "./marks.ts" with { type: "macro" };

/** Units of a line within which a mark of ours shows, invisible signs among them. */
const reach = 160;
/** What a tag may begin with; nothing where a line begins. */
const tags = ["<", "\ufe64", "\uff1c"];

/** The text as it looks at a glance: full-width and other forms of letters as plain ones, in lower case, with single blanks. */
const fold = (text: string, unseen: RegExp): string => {
  const plain = isAscii(text) ? text : text.normalize("NFKC").replace(unseen, "").trimStart();
  return plain.toLowerCase().replace(/\s+/g, " ");
};

const isAscii = (text: string): boolean => !/[^\u0000-\u007f]/.test(text);

interface Patterns {
  candidates: RegExp;
  marks: RegExp;
  blanks: RegExp;
  unseen: RegExp;
}

let patterns: Patterns | undefined; // compiled when they are needed: every hook loads this file

function compile(): Patterns {
  const { candidates, marks, blanks, unseen } = markSources();
  return {
    candidates: new RegExp(candidates, "gmu"),
    marks: new RegExp(marks, "u"),
    blanks: new RegExp(blanks, "uy"),
    unseen: new RegExp(unseen, "gu"),
  };
}

/**
 * Stored text that looks like a mark of ours at a line's beginning, or like a tag of the client's anywhere, is told with a
 * backslash before it, or in it: in whichever language, case and width, and with invisible signs in it.
 */
export function defuse(text: string): string {
  patterns ??= compile();
  const { candidates, marks, blanks, unseen } = patterns;
  return text.replace(candidates, (found, at: number) => {
    const start = tags.includes(found) ? at : at + found.length;
    return marks.test(fold(lineFrom(text, start, blanks), unseen)) ? `${found}\\` : found;
  });
}

// Blanks and invisible signs before a mark may be many.
function lineFrom(text: string, at: number, blanks: RegExp): string {
  if (/^[!-~]/.test(text.charAt(at))) return text.slice(at, at + reach);
  blanks.lastIndex = at;
  blanks.test(text);
  return text.slice(blanks.lastIndex, blanks.lastIndex + reach);
}

/** Text that goes on within a line where a new line begins for who reads it: its first line could be a mark there. */
export function defuseStart(text: string): string {
  const end = text.search(/[\n\r\u2028\u2029]|$/);
  return defuse(text.slice(0, end)) + text.slice(end);
}
