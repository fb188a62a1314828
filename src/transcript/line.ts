/** One parsed line of a transcript: an object of whatever shape the client wrote. */
export type Line = Readonly<Record<string, unknown>>;

/** The value as an object, an empty one where it is none: fields of a wrong type read as absent. */
export const asObject = (value: unknown): Line =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Line) : {};

/** The value as a list, an empty one where it is none. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value as text, `undefined` where it is none. */
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const most = 1e12;

/** The value as a count, 0 where it is none: of a size that the store and sums of it can hold. */
export const asCount = (value: unknown): number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most ? (value as number) : 0;

/** A message's content as blocks: a plain string is one text block, as in the Messages API. */
export const asBlocks = (content: unknown): readonly Line[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : asList(content).map(asObject);

/** The texts of the text blocks, in order. */
export const blockTexts = (blocks: readonly Line[]): string[] =>
  blocks.flatMap((block) => (block.type === "text" && typeof block.text === "string" ? [block.text] : []));

/** From here on a year has more than four digits in some zone, and times have other forms than those that turns are called by. */
const endOfTime = Date.UTC(9999, 11, 30);

/** UTC milliseconds of the line's timestamp, 0 where it has none or a bad one. */
export function timeOf(line: Line): number {
  const at = Date.parse(asText(line.timestamp) ?? "");
  return at > 0 && at < endOfTime ? at : 0;
}
