import type { Size } from "../types.ts";
import { capacityOf, roomForLines } from "./parts.ts";

/** What stands before what one side says, its time and its speaker; of a turn that is a prompt and an answer, as a rule. */
const labelLength = 25;
/** What stands around the turns. */
const frameLength = 650;
/** The end of the last exchange, which is told once more, and its beginning in front of several parts. */
const endLength = 500;
const exchangeLength = 1_500;

/**
 * About how many tokens a thread comes to when it is told, from sizes alone.
 * @param full of the turns that are told in full
 * @param lines the room that older turns would take as lines, in characters
 * @param parts how many parts are allowed
 */
export function estimateKept(full: readonly Size[], lines: number, parts: number): number {
  const said = full.reduce((sum, { characters }) => sum + characters, 0);
  const labels = full.reduce((sum, { messages }) => sum + Math.min(messages, 2) * labelLength, 0);
  const last = full[0]?.characters ?? 0;
  const once = said + labels + Math.min(lines, roomForLines(parts)) + Math.min(endLength, last);
  const again = parts > 1 && once > capacityOf(1) ? Math.min(exchangeLength, last) : 0;
  const length = Math.min(capacityOf(parts), once + again + frameLength);
  const share = said === 0 ? 0 : full.reduce((sum, size) => sum + foreign(size), 0) / said;
  const own = Math.min(length, labels + frameLength);
  return Math.round(own / 4 + (length - own) * (share + (1 - share) / 4));
}

// Signs beyond ASCII: of two bytes more each, as in Japanese; letters with accents have one.
const foreign = ({ characters, bytes }: Size): number => Math.min(characters, (bytes - characters) / 2);
