import { fold } from "./fold.ts";
import { longestPart, mark, signatureBits } from "./grams.ts";

/** Some text with one signature: part of a long turn, or several short ones. */
export interface Block {
  /** The turns of which it has some. */
  turns: number[];
  signature: Uint8Array;
  /** How many bits the text's triples have set. */
  marked: number;
  /** UTF-16 code units. */
  length: number;
}

export const emptyBlock = (): Block => ({
  turns: [],
  signature: new Uint8Array(signatureBits / 8),
  marked: 0,
  length: 0,
});

/** An eighth of the triples' bits: about 16,000 units of real text take 0.09 bytes each, and few signatures fit by chance. */
const mostMarked = 2_000;
/** Text that repeats itself; it has to be read to see whether it holds a term. */
const mostUnits = 65_536;
const stretch = 1_024;

export const isFull = ({ marked, length }: Block): boolean => marked >= mostMarked || length >= mostUnits;

/**
 * Adds a turn's texts to a block and, as each gets full, to new ones.
 * @returns the blocks, the last of which may take more
 */
export function addTexts(block: Block, turnId: number, texts: Iterable<string>): Block[] {
  const blocks = [block];
  let last = block;
  for (const text of texts) {
    const folded = fold(text);
    for (let at = 0; at < folded.length; at += stretch) {
      let overlap = 2; // what stands across the border of two stretches
      if (isFull(last)) {
        last = emptyBlock();
        blocks.push(last);
        overlap = longestPart - 1;
      }
      const end = Math.min(at + stretch, folded.length);
      last.marked += mark(last.signature, folded, Math.max(0, at - overlap), end);
      last.length += end - at;
      if (last.turns.at(-1) !== turnId) last.turns.push(turnId);
    }
  }
  return blocks;
}
