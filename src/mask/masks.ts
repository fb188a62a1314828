import { type Shape, shapes } from "./shapes.ts";

/** The settings that say what is masked. */
export interface MaskSettings {
  /** Tool traffic, lines and exports. */
  mask: "on" | "off";
  /** What was said, too. */
  mask_conversation: "on" | "off";
  /** Patterns of the person's own. */
  mask_patterns: readonly string[];
}

/** What is done to texts before they are stored. */
export interface Masks {
  /** To tool traffic (L3), to lines (L1) and to what is exported of them. */
  details: (text: string) => string;
  /** To what was said (L2). */
  words: (text: string) => string;
}

const asIs = (text: string): string => text;

/** The masks that the settings ask for. */
export function masksOf({ mask, mask_conversation, mask_patterns }: MaskSettings): Masks {
  if (mask === "off") return { details: asIs, words: asIs };
  const all = mask_patterns.length === 0 ? shapes : [...shapes, ...mask_patterns.map(ownShape)];
  const details = masker(all);
  return { details, words: mask_conversation === "on" ? details : asIs };
}

/** What holds where nobody set anything. */
export const defaultMasks = (): Masks => masksOf({ mask: "on", mask_conversation: "off", mask_patterns: [] });

const ownShape = (source: string): Shape => ({
  kind: "own pattern",
  hints: [""],
  pattern: () => new RegExp(source, "g"),
});

/** UTF-16 units; a pattern of all hints is three times as fast as looking for each, once it is compiled. */
const worthAPattern = 250_000;

// For one turn the hints are looked for one by one, in a long reading all at once.
function masker(all: readonly Shape[]): (text: string) => string {
  let seen = 0;
  let anyHint: RegExp | undefined;
  return (text) => {
    seen += text.length;
    if (seen < worthAPattern) return maskText(text, all);
    anyHint ??= patternOf(all.flatMap(({ hints }) => hints));
    return anyHint.test(text) ? maskText(text, all) : text;
  };
}

const patternOf = (hints: readonly string[]): RegExp =>
  new RegExp(hints.map((hint) => hint.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"));

/** The text with a mask for each secret in it; masking twice is masking once. */
export function maskText(text: string, all: readonly Shape[] = shapes): string {
  let masked = text;
  // Loops, as calls for every hint of every text would take longer than the search.
  for (const shape of all) {
    for (const hint of shape.hints) {
      if (!masked.includes(hint)) continue;
      masked = maskShape(masked, shape);
      break;
    }
  }
  return masked;
}

function maskShape(text: string, { kind, pattern, isSecret }: Shape): string {
  const mask = `[masked: ${kind}]`;
  return text.replace(pattern(), (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1);
    if (typeof groups !== "object" || groups === null) return mask;
    const { before = "", secret = found, after = "" } = groups as Record<string, string>;
    return (isSecret?.(secret) ?? true) ? `${before}${mask}${after}` : found;
  });
}

/**
 * Why a pattern cannot be used, if it cannot: it is no regular expression, would mask nothing at all, or repeats a group
 * that repeats, for which a hostile text takes for ever.
 */
export function patternProblem(source: string): string | undefined {
  if (source.length > 500) return "a pattern is 500 characters at most";
  if (/\([^()]*[+*}][^()]*\)\s*[+*{]/.test(source)) return "a repeated group in a pattern must not repeat within";
  try {
    return new RegExp(source, "g").test("") ? "a pattern must not match nothing" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : `${error}`;
  }
}
