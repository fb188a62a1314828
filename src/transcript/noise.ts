const fence = /^\s*(```|~~~)/;
const blank = /^\s*$/;
/** Box drawing and blocks alone, or one ASCII rule character eight times or more. Markdown's `---` and tables stay. */
const decoration = /^\s*(?:[\u2500-\u259f\s]+|([-=_*~#.])\1{7,})\s*$/;
const bar = /[█▓▒░▏▎▍▌▋▊▉■□━╸╺]{3,}|[[(|][#=>.\-\s]{6,}[\])|]/;
const percentage = /(?:^|[^\d.])\d{1,3}(?:\.\d+)?\s?%/;
const percentageAlone = /^\s*\d{1,3}(?:\.\d+)?\s?%\s*$/;
/** A braille or circle frame at the start of a line: what spinners draw and nobody types. */
const spinner = /^\s*(?:[\u2801-\u28ff◐◓◑◒](?:\s|$)|[|/\\-]\s*$)/;
/** Nothing to do for most texts: no escape, no redraw, no run of blank lines, no drawing, no rule. */
const suspicious =
  /[\u001b\u009b\r\u0008\u2500-\u25ff\u2801-\u28ff%]|\n[ \t]*\n[ \t]*\n|([-=_*~#.])\1{7}|^\s*\n|\n\s*$|^\s*[|/\\-]\s*$/m;

/**
 * The text without what is noise in every layer: ANSI escapes, redrawn progress, spinner frames, decoration lines, runs
 * of blank lines. Indentation is never touched, and inside a code fence only ANSI is removed. The result is well-formed
 * Unicode.
 */
export function removeNoise(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!suspicious.test(wellFormed)) return wellFormed;
  return keepLines(Bun.stripANSI(wellFormed).split("\n")).join("\n");
}

function keepLines(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let fenced = false;
  let blanks = 0;
  for (const raw of lines) {
    const isFence = fence.test(raw);
    if (fenced || isFence) {
      if (blanks > 0 && kept.length > 0) kept.push("");
      blanks = 0;
      kept.push(raw.endsWith("\r") ? raw.slice(0, -1) : raw);
      if (isFence) fenced = !fenced;
      continue;
    }
    const line = lastDrawn(raw);
    if (blank.test(line)) blanks += 1;
    else if (!isNoise(line)) {
      if (blanks > 0 && kept.length > 0) kept.push("");
      blanks = 0;
      kept.push(line);
    }
  }
  return kept;
}

// A terminal shows what was written after the last carriage return.
function lastDrawn(line: string): string {
  if (!line.includes("\r")) return line;
  const states = line.split("\r").filter((state) => !blank.test(state));
  return states.at(-1) ?? "";
}

const isNoise = (line: string): boolean =>
  decoration.test(line) ||
  spinner.test(line) ||
  percentageAlone.test(line) ||
  (percentage.test(line) && bar.test(line));
