import { type Strings, strings } from "./strings.ts";

/** Stands for what differs from one text of ours to the next. */
const hole = "\u0001";
const dash = "[-\u2010-\u2015\u2212]";

// Written out, as \p{Default_Ignorable_Code_Point} and \p{Cf} take half a millisecond each to compile.
const unseenBasic =
  "\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
  "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb";
/** Signs that nobody sees, for a class of a pattern with the flag u: a mark with some of them in it looks like one without. */
export const unseenSigns = `${unseenBasic}\\u{110bd}\\u{110cd}\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}`;
const blanks = "\\t \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";
/** Either half of a sign beyond the Basic Multilingual Plane: any of them, for a pattern that only looks for candidates. */
const half = "\\ud800-\\udfff";

// Of our own texts: nothing unseen is in them.
const foldOwn = (text: string): string => text.normalize("NFKC").toLowerCase();

/** How the lines begin that we tell the model, beside headings, dates, times and speakers. */
const openings = (say: Strings): string[] => [
  say.part(hole as never, hole as never),
  say.howToRead(1),
  say.continues(hole, hole, hole),
  say.guessed,
  say.shortAnswer,
  say.askFirst,
  say.lastExchange,
  say.interrupted,
  say.unanswered,
  say.openTodos,
  say.older(hole, hole),
  say.leftOut(hole, hole),
  say.details(hole),
  say.missingPart(hole as never, hole),
  say.compacted(hole as never, hole, hole, hole),
];

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** How a line of ours begins: with words, and soon behind them, where something of its own comes next, with others. */
export interface Opening {
  first: string;
  second: string;
}

// As far as it takes to know it: the first words, or what stands around the first hole.
function opening(sample: string): Opening {
  const [first = "", second = ""] = foldOwn(sample).split(hole);
  const isKnown = first.replace(/[\s!-@[-`{-~]/g, "").length >= 6;
  return isKnown ? { first: first.slice(0, 24), second: "" } : { first, second: second.trim().slice(0, 12) };
}

/** What stored text that poses as ours is told by. */
export interface Marks {
  /** Source of a pattern of where a mark may begin, with the flags gm: cheap, and right about everything that is none. */
  candidates: string;
  /** How lines of ours begin, folded. */
  openings: Opening[];
  /** Our headings, folded, without the signs before them. */
  headings: string[];
  /** Source of a pattern of whatever else is one, folded. */
  shapes: string;
  /** Sources of patterns of blanks and unseen signs within a line, and of unseen signs, with the flag u. */
  blanks: string;
  unseen: string;
}

/** Forms of plain letters and signs, and signs that look like a bracket or a dash. */
const forms = `\u0080-\u036f\u1d00-\u1dbf\u2000-\u2e7f\ufe30-\uffef${half}`;

// The first letters, in either case.
const startOf = (sample: string): string =>
  [...(foldOwn(sample).slice(0, 6).split(hole)[0] as string)].map(eitherCase).join("");

const eitherCase = (letter: string): string => {
  if (letter === " ") return "\\s+";
  const other = letter.toUpperCase();
  return other === letter ? literal(letter) : `[${letter}${other}]`;
};

// A first letter of ours, and soon behind it another form of a letter or an unseen sign.
function disguises(samples: readonly string[]): string[] {
  const letters = [...new Set(samples.map((sample) => sample.toLowerCase()[0] as string))].filter(
    (c) => !/[[(]/.test(c),
  );
  const plain = letters.filter((c) => c < "\u0080").join("");
  const others = letters.filter((c) => c >= "\u0080").join("");
  return [
    `[${plain}${plain.toUpperCase()}][^\\n]{0,4}[^\\u0000-\\u007f]`,
    `[${others}][^\\n]{0,4}[${forms}${unseenBasic}]`,
  ];
}

/**
 * What text that poses as ours is told by, from the sentences themselves. Imported as a macro, which is worked out when the
 * program is built: at run time it would take a millisecond. The sentences are no pattern: to compile one of them all takes
 * as long as the rest of a start's rendering.
 */
export function makeMarks(): Marks {
  const both = Object.values(strings);
  const headings = both.flatMap((say) => [say.earlier, say.recent, say.position].map((text) => foldOwn(text).slice(4)));
  const texts = both.flatMap(openings);
  const shapes = [
    String.raw`#{1,6} ?(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d.{0,8}\(session|(?:tools|system|images) \(\d)`, // of \`detail\`
    `${dash}{1,2} ?\\d{4}-\\d\\d-\\d\\d ?${dash}`,
    String.raw`\[ ?(?:\d\d:\d\d:\d\d ?(?:# ?\d+ ?)?\]|(?:user|assistant) ?\] ?:)`,
    `<[ /]*(?:system${dash}?reminder|persisted${dash}?output)`,
  ];
  const first = [
    String.raw`[#\[\(${forms}]`,
    String.raw`-[-\s]?[^\u0000-/:-\u007f]`,
    ...disguises(texts),
    ...new Set(texts.map(startOf).filter((start) => !/^\\[[(]/.test(start))),
  ].join("|");
  return {
    // Vertical tabs, form feeds, separators and NEL end a line for some readers. No look behind: that is ten times as slow.
    candidates: String.raw`(?:^|[\v\f\u001c-\u001e\u0085])(?=[${blanks}${unseenBasic}${half}]*(?:${first}))|[<\ufe64\uff1c]`,
    openings: texts.map(opening),
    headings: ["throughline", ...headings],
    shapes: `^(?:${shapes.join("|")})`,
    blanks: `[${blanks}${unseenSigns}]*`,
    unseen: `[${unseenSigns}]`,
  };
}
