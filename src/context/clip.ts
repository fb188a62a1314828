const window = 120;

/**
 * The largest border at or below `at` where the text may be cut: behind a newline when one is near, else between two
 * graphemes, so that no character of any script is torn.
 */
export function borderBefore(text: string, at: number, near: number): number {
  if (at >= text.length) return text.length;
  const newline = text.lastIndexOf("\n", at - 1);
  if (newline !== -1 && newline + 1 > at - near) return newline + 1;
  const from = Math.max(0, at - window);
  let border = from;
  for (const { index } of new Intl.Segmenter().segment(text.slice(from, at + window))) {
    if (from + index > at) break;
    border = from + index;
  }
  return border > from || from === 0 ? border : at;
}

/** The beginning of the text on one line, at most `length` units. */
export function head(text: string, length: number): string {
  const line = oneLine(text.slice(0, length * 2));
  return line.length <= length && text.length <= length * 2
    ? line
    : `${line.slice(0, borderBefore(line, length - 1, 0)).trimEnd()}…`;
}

/** The end of the text on one line, at most `length` units. */
export function tail(text: string, length: number): string {
  const line = oneLine(text.slice(-length * 2));
  if (line.length <= length && text.length <= length * 2) return line;
  return `…${line.slice(borderBefore(line, Math.max(0, line.length - length + 1), 0)).trimStart()}`;
}

/** The text's beginning and end with a mark between them, about `length` units in all. */
export function headAndTail(text: string, length: number, mark: (leftOut: number) => string): string {
  if (text.length <= length) return text;
  const room = Math.max(0, length - mark(text.length).length - 2);
  const start = borderBefore(text, Math.floor(room * 0.6), Math.floor(room * 0.2));
  const end = borderBefore(text, text.length - Math.floor(room * 0.4), 0);
  return `${text.slice(0, start).trimEnd()}\n${mark(end - start)}\n${text.slice(end).trimStart()}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
