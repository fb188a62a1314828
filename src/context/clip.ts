const window = 120;
const furthestAnchor = 2_000;
/**
 * Newlines and ASCII, Latin, Greek and Cyrillic letters, punctuation, arrows, lines and other signs, kana, Chinese characters,
 * Korean syllables: between two of them there is always a border.
 */
const signs =
  "\\n -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff" +
  "\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e";
const plain = new RegExp(`^[${signs}]{2}$`);

/**
 * The largest border at or below `at` where the text may be cut: behind a newline when one is within `near` units, else
 * between two graphemes, so that no character of any script is torn. A grapheme longer than the window is torn between
 * two code points.
 */
export function borderBefore(text: string, at: number, near: number): number {
  if (at >= text.length) return text.length;
  if (at <= 0) return 0;
  const newline = text.lastIndexOf("\n", at - 1);
  if (newline !== -1 && newline + 1 > at - near) return newline + 1;
  if (isPlainBorder(text, at)) return at;
  const from = anchorBefore(text, Math.max(0, at - window));
  const border = bordersAround(text, from, at).findLast((index) => index <= at) ?? from;
  return border > from || at - from < window ? border : at - tornBy(text, at);
}

/** The smallest border between two graphemes at or above `at`. */
export function borderAfter(text: string, at: number): number {
  if (at <= 0 || isPlainBorder(text, at)) return Math.max(0, at);
  const from = anchorBefore(text, Math.max(0, at - window));
  const border = bordersAround(text, from, at).find((index) => index >= at);
  return border ?? (at + window >= text.length ? text.length : at + tornBy(text, at));
}

const bordersAround = (text: string, from: number, at: number): number[] =>
  [...new Intl.Segmenter().segment(text.slice(from, at + window))].map(({ index }) => from + index);

// Found without Intl: loading that takes longer than all else a start does.
const isPlainBorder = (text: string, at: number): boolean => plain.test(text.slice(Math.max(0, at - 1), at + 1));

// Where graphemes may be counted from: in the middle of a row of flags the pairs would be the wrong ones.
function anchorBefore(text: string, at: number): number {
  for (let anchor = at; anchor > 0 && anchor > at - furthestAnchor; anchor -= 1) {
    if (isPlainBorder(text, anchor)) return anchor;
  }
  return at <= furthestAnchor ? 0 : at - tornBy(text, at);
}

// 1 where a cut would part the two halves of a code point.
const tornBy = (text: string, at: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)) ? 1 : 0;

/** The beginning of the text on one line, at most `length` units. */
export function head(text: string, length: number): string {
  const start = borderBefore(text, length * 2, 0);
  const line = oneLine(text.slice(0, start));
  return line.length <= length && start === text.length
    ? line
    : `${line.slice(0, borderBefore(line, length - 1, 0)).trimEnd()}…`;
}

/** The end of the text on one line, at most `length` units. */
export function tail(text: string, length: number): string {
  const end = borderAfter(text, Math.max(0, text.length - length * 2));
  const line = oneLine(text.slice(end));
  if (line.length <= length && end === 0) return line;
  return `…${line.slice(borderAfter(line, Math.max(0, line.length - length + 1))).trimStart()}`;
}

/**
 * The text's beginning and end with a mark between them, at most `length` units in all where the mark itself fits, and
 * what `treat` makes of them.
 */
export function headAndTail(
  text: string,
  length: number,
  mark: (leftOut: number) => string,
  treat = (piece: string) => piece,
): string {
  if (text.length <= length) return treat(text);
  const room = Math.max(0, length - mark(text.length).length - 2);
  const start = borderBefore(text, Math.floor(room * 0.6), Math.floor(room * 0.2));
  const end = borderAfter(text, text.length - Math.floor(room * 0.4));
  return `${treat(text.slice(0, start).trimEnd())}\n${mark(end - start)}\n${treat(text.slice(end).replace(/^\n+/, ""))}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
