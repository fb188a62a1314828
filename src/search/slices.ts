import type { Block } from "./blocks.ts";
import { signatureBits } from "./grams.ts";

/** So many full blocks are a segment: their signatures are turned over, so that a bit of all of them is one row. */
export const segmentBlocks = 1_024;
const rowBytes = segmentBlocks / 8;
/** Rows that are kept, and compressed, together. */
const sliceRows = 64;
export const slicesOfSegment = signatureBits / sliceRows;

/** Which slice of a segment has a bit's row. */
export const sliceOf = (bit: number): number => Math.floor(bit / sliceRows);

/** A segment's rows, in slices. */
export function turnOver(blocks: readonly Block[]): Uint8Array[] {
  const rows = new Uint8Array(signatureBits * rowBytes);
  for (const [column, { signature }] of blocks.entries()) {
    const [at, one] = [column >>> 3, 1 << (column & 7)];
    for (const bit of bitsIn(signature)) {
      const place = bit * rowBytes + at;
      rows[place] = (rows[place] as number) | one;
    }
  }
  return Array.from({ length: slicesOfSegment }, (_, n) =>
    rows.subarray(n * sliceRows * rowBytes, (n + 1) * sliceRows * rowBytes),
  );
}

/** The numbers of the bits that are set. */
export function bitsIn(bytes: Uint8Array): number[] {
  const bits: number[] = [];
  for (const [at, byte] of bytes.entries()) {
    for (let left = byte; left !== 0; left &= left - 1) bits.push(at * 8 + 31 - Math.clz32(left & -left));
  }
  return bits;
}

/**
 * Which of a segment's blocks have all of some bits, as a bit each.
 * @param readSlice a slice of the segment
 */
export function blocksWith(bits: readonly number[], readSlice: (slice: number) => Uint8Array): Uint8Array {
  const having = new Uint8Array(rowBytes).fill(0xff);
  for (const bit of bits) {
    const from = (bit % sliceRows) * rowBytes;
    const row = readSlice(sliceOf(bit)).subarray(from, from + rowBytes);
    let any = 0;
    for (const [at, byte] of row.entries()) any |= having[at] = (having[at] as number) & byte;
    if (any === 0) break;
  }
  return having;
}
