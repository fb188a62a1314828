import type { Database } from "bun:sqlite";
import { fold } from "../search/fold.ts";
import { bitsOf, has } from "../search/grams.ts";
import { bitsIn, blocksWith, slicesOfSegment } from "../search/slices.ts";
import { listSegments, readBlocks, readSegmentTurns, readSlice } from "../store/index-rows.ts";

/** The indexed turns that may hold a term: all that do, and some that do not. `undefined`: any may. */
export function turnsWith(index: Database, term: string): Set<number> | undefined {
  const bits = bitsOf(fold(term));
  if (bits.length === 0) return undefined;
  const turns = new Set<number>();
  for (const block of readBlocks(index)) {
    if (bits.every((bit) => has(block.signature, bit))) for (const turn of block.turns) turns.add(turn);
  }
  for (const segment of listSegments(index)) {
    const having = bitsIn(blocksWith(bits, (slice) => readSlice(index, segment, slicesOfSegment, slice)));
    if (having.length === 0) continue;
    const turnsOf = readSegmentTurns(index, segment);
    for (const block of having) for (const turn of turnsOf[block] ?? []) turns.add(turn);
  }
  return turns;
}
