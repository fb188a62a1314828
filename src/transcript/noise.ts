/** Box drawing and blocks alone, or one ASCII rule character eight times or more. Markdown's `---` and tables stay. */
const decoration = /^(?:[\u2500-\u259f\s]+|\s*([-=_*~#.])\1{7,}\s*)$/;
/** A bar: blocks and a percentage, or a bracketed ASCII bar right beside its percentage. */
const blocks = /[█▓▒░▏▎▍▌▋▊▉■□━╸╺]{3,}/;
const percentage = /(?:^|[^\d.])\d{1,3}(?:\.\d+)?\s?%/;
const asciiBar =
  /[[(][#=>.\-\s]{6,}[\])]\s*\d{1,3}(?:\.\d+)?\s?%|\d\s?%\]?\s*[[(][#=>.\-\s]{6,}[\])]|\d%\|[#\d\s]{6,}\||^\s*[#=]{8,}\s+\d{1,3}(?:\.\d+)?%\s*$/;
/** A row of a table, an item of a list or a JSON object may hold a bar and a percentage, and is meant. */
const structured = /^\s*(?:[|│┃║{]|[-*+]\s|\d+[.)]\s)/;
/** A braille frame at the start of a line, or a circle frame alone: what spinners draw and nobody types. */
const spinner = /^\s*(?:[\u2801-\u28ff](?:\s|$)|[◐◓◑◒]\s*$)/;
/** One frame of a turning bar or a growing percentage: noise when it was redrawn, or among its like. */
const frame = /^\s*(?:([|/\\-])|(\d{1,3}(?:\.\d+)?)\s?%)\s*$/;
const turning = "|/-\\|";
const fewestFrames = 3;
const blank = /^\s*$/;
/** A fence's opening, in a list or a quotation as well. Backticks behind it make it code within a line. */
const opening = /^\s*(?:(?:>|[-*+]\s|\d{1,9}[.)]\s)\s*){0,9}(`{3,}(?=[^`]*$)|~{3,})/;
const closing = /^[\s>]*(`{3,}|~{3,})\s*$/;
/** Back to the first column, or the whole line erased: a redraw, like a carriage return. */
const redraw = /(?:\u001b\[|\u009b)(?:[01]?G|2K)/g;
const ansi = /[\u001b\u009b]/;
/**
 * Nothing to do for most texts: no escape, no redraw, no drawing; no rule; no run of blank lines, no bar alone. Each by
 * itself: one pattern that tries them all at every character takes half as long again.
 */
const suspicious = [
  /[\u001b\u009b\r\u0008\u2500-\u25ff\u2801-\u28ff%]/,
  /([-=_*~#.])\1{7}/,
  /\n\n\n|^\n|\n$|(?:^|\n)[^\S\n]+(?:[|/\\][^\S\n]*)?(?:\n|$)|(?:^|\n)[|/\\][^\S\n]*(?:\n|$)/,
];
/** The same for one line: most are kept as they are. */
const remarkable = /[\u001b\u009b\r\u0008\u2500-\u25ff\u2801-\u28ff%`~]|([-=_*#.])\1{7}|^\s*[|/\\-]?\s*$/;

/**
 * The text without what is noise in every layer: ANSI escapes, redrawn progress, spinner frames, decoration lines, runs
 * of blank lines. Indentation is never touched, and inside a code fence only ANSI is removed. The result is well-formed
 * Unicode. Every step is linear in the text, and doing it twice is doing it once.
 */
export function removeNoise(text: string): string {
  const wellFormed = text.toWellFormed();
  const isSuspicious = suspicious.some((pattern) => pattern.test(wellFormed));
  return isSuspicious ? keepLines(wellFormed.split("\n")).join("\n") : wellFormed;
}

function keepLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let blanks = 0;
  let frames: string[] = [];
  let fence: string | undefined;
  const keep = (line: string): void => {
    if (blanks > 0 && kept.length > 0) kept.push("");
    blanks = 0;
    kept.push(line);
  };
  const endFrames = (): void => {
    if (frames.length === 0) return;
    if (!isDrawn(frames)) frames.forEach(keep);
    frames = [];
  };
  for (const raw of lines) {
    if (fence !== undefined) {
      const line = stripEscapes(raw).replace(/\r+$/, "");
      keep(line);
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    if (!remarkable.test(raw)) {
      endFrames();
      keep(raw);
      continue;
    }
    const { line, redrawn } = lastDrawn(raw);
    fence = opening.exec(line)?.[1];
    const isFrame = frame.test(line);
    if (fence === undefined && (isNoise(line) || (isFrame && redrawn))) continue;
    if (isFrame) frames.push(line);
    else {
      endFrames();
      if (blank.test(line)) blanks += 1;
      else keep(line);
    }
  }
  endFrames();
  return kept;
}

function closes(line: string, fence: string): boolean {
  const mark = closing.exec(line)?.[1];
  return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
}

// Line by line: an escape that is never ended must not swallow the lines behind it. What it takes may be half a character.
const stripEscapes = (line: string): string =>
  ansi.test(line)
    ? Bun.stripANSI(line)
        .replace(/[\u001b\u009b]/g, "")
        .toWellFormed()
    : line;

// A terminal shows what was written after the last carriage return.
function lastDrawn(raw: string): { line: string; redrawn: boolean } {
  const line = stripEscapes(ansi.test(raw) ? raw.replace(redraw, "\r") : raw);
  if (!/[\r\u0008]/.test(line)) return { line, redrawn: false };
  const states = line
    .split("\r")
    .map(eraseBack)
    .filter((state) => !blank.test(state));
  return { line: states.at(-1) ?? "", redrawn: states.length > 1 || line.includes("\b") };
}

function eraseBack(line: string): string {
  if (!line.includes("\b")) return line;
  const left: string[] = [];
  for (const character of line) {
    if (character === "\b") left.pop();
    else left.push(character);
  }
  return left.join("");
}

const isNoise = (line: string): boolean =>
  !blank.test(line) &&
  (decoration.test(line) ||
    spinner.test(line) ||
    (!structured.test(line) && (asciiBar.test(line) || (blocks.test(line) && percentage.test(line)))));

// One or two such lines may be data; a bar that turns or a percentage that only grows is a drawing.
function isDrawn(frames: readonly string[]): boolean {
  const marks = frames.map((line) => frame.exec(line) as RegExpExecArray);
  return (
    marks.length >= fewestFrames &&
    marks.every(([, bar, percent], n) => {
      const [, barBefore, percentBefore] = marks[n - 1] ?? [];
      if (n === 0) return true;
      if (bar !== undefined) return barBefore !== undefined && turning.includes(barBefore + bar);
      return percentBefore !== undefined && Number(percent) > Number(percentBefore);
    })
  );
}
