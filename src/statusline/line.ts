/** What the line shows. Absent is what is not known. */
export interface Shown {
  /** What is in the context, and what fits, in tokens, by the client. */
  tokens: number | undefined;
  window: number | undefined;
  /** What `/clear` would keep, in tokens; 0 where the next session would start clean. */
  kept: number | undefined;
  /** Whether older turns wait for their lines. */
  linesWait: boolean;
  /** Whether something failed that the person was not told of yet. */
  failed: boolean;
}

/** How the line may look. */
export interface Look {
  /** In columns. */
  width: number;
  colour: boolean;
}

const cells = 10;
/** From here on it is time to think of `/clear`, and to do it. */
const [much, most] = [0.7, 0.9];

/**
 * One line, with the most important first: what does not fit is left out as a whole. Colour says nothing that the figures do
 * not, and is yellow and bold, which everybody can tell apart.
 */
export function renderLine(shown: Shown, { width, colour }: Look): string {
  const { tokens, window, kept, linesWait, failed } = shown;
  const share = tokens === undefined || !window ? undefined : Math.min(1, tokens / window);
  const used = tokens === undefined ? undefined : `${short(tokens)}${window ? `/${short(window)}` : ""}`;
  const percent = share === undefined ? undefined : `${Math.floor(share * 100)} %`;
  const context = [[used, bar(share), percent], [used, percent], [used]].map((words) =>
    words.filter((word) => word !== undefined).join(" "),
  );
  const trouble = failed ? "⚠ throughline status" : "";
  const keeps = kept === undefined ? "" : kept === 0 ? "/clear starts clean" : `/clear keeps ≈${short(kept)}`;
  const waits = linesWait ? "lines wait" : "";
  const choices: string[][] = [
    [context[0] ?? "", keeps, waits, trouble],
    [context[0] ?? "", keeps, trouble],
    [context[1] ?? "", keeps, trouble],
    [context[1] ?? "", keeps],
    [context[2] ?? "", keeps],
    [context[2] ?? ""],
  ];
  const lines = choices.map((pieces) => pieces.filter((piece) => piece !== "").join(" · "));
  const line = lines.find((one) => one.length <= width) ?? "";
  return colour && share !== undefined ? tint(line, share) : line;
}

const bar = (share: number | undefined): string | undefined =>
  share === undefined
    ? undefined
    : "▓".repeat(Math.round(share * cells)) + "░".repeat(cells - Math.round(share * cells));

// The context alone, which is the first piece.
function tint(line: string, share: number): string {
  if (share < much) return line;
  const end = line.indexOf(" · ");
  const at = end === -1 ? line.length : end;
  return `\u001b[${share < most ? "33" : "1;33"}m${line.slice(0, at)}\u001b[0m${line.slice(at)}`;
}

/** `850`, `4.2k`, `142k`, `1M`. */
export function short(tokens: number): string {
  if (tokens < 1_000) return `${Math.round(tokens)}`;
  if (tokens < 9_950) return `${trim(tokens / 1_000)}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)}k`;
  return `${trim(tokens / 1_000_000)}M`;
}

const trim = (value: number): string => value.toFixed(1).replace(/\.0$/, "");
