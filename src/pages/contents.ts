import { escapeText } from "./escape.ts";
import type { Words } from "./words.ts";

/** A turn in the table of contents. */
export interface Entry {
  anchor: string;
  /** `2026-11-30` */
  date: string;
  /** `14:23` */
  time: string;
  /** Its line or the beginning of its prompt. */
  text: string;
}

/** The table of contents, by day. */
export function renderContents(entries: readonly Entry[], words: Words): string {
  const days = entries.map(({ date }, n) => (date === entries[n - 1]?.date ? undefined : date));
  const items = entries.map((entry, n) => {
    const day = days[n] === undefined ? "" : `${n === 0 ? "" : "</ol>\n"}<p class="date">${days[n]}</p>\n<ol>\n`;
    return `${day}<li><a href="#${escapeText(entry.anchor)}"><time>${entry.time}</time><span dir="auto">${escapeText(entry.text)}</span></a></li>\n`;
  });
  return `<nav id="contents" class="contents" aria-label="${words.contents}" tabindex="-1">\n${items.join("")}${items.length > 0 ? "</ol>\n" : ""}</nav>\n`;
}
