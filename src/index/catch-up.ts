import type { Database } from "bun:sqlite";
import { addTexts, emptyBlock, isFull } from "../search/blocks.ts";
import { segmentBlocks, turnOver } from "../search/slices.ts";
import {
  type BlockRow,
  countBlocks,
  readBlocks,
  readLastBlock,
  saveBlock,
  saveSegment,
  saveStamp,
  versionOf,
} from "../store/index-rows.ts";
import { textsOf } from "../store/search.ts";
import { openIndex } from "../store/search-index.ts";
import type { Stamped } from "../store/unindexed.ts";
import { staleSessions, staleTurns } from "./stale.ts";

/** UTF-16 code units of text that are indexed in one transaction. */
const batchLength = 16_000_000;

/** What is to be written together. */
interface Batch {
  turns: Stamped[];
  sessions: Stamped[];
  blocks: BlockRow[];
  length: number;
}

/**
 * Brings the index up to date, in steps: what is done by then stays. Of two at once one goes on, the other leaves.
 * @param file the index's
 * @param breathe called after each step; it may throw to end it there
 */
export async function catchUp(db: Database, file: string, breathe?: () => Promise<void>): Promise<void> {
  using index = openIndex(file);
  let batch = begin(index);
  let version = versionOf(index);
  for (const session of staleSessions(db, index)) {
    // The stamps are read before the texts: what comes later makes others.
    for (const turn of staleTurns(db, index, session.id)) {
      add(batch, turn, textsOf(db, turn.id, {}));
      if (batch.length < batchLength) continue;
      if (!write(index, batch, version)) return;
      await breathe?.();
      batch = begin(index);
      version = versionOf(index);
    }
    batch.sessions.push(session);
  }
  write(index, batch, version);
}

// The last block is gone on with where it takes more.
function begin(index: Database): Batch {
  const last = readLastBlock(index);
  const open = last && !isFull(last) ? last : { ...emptyBlock(), id: (last?.id ?? 0) + 1 };
  return { turns: [], sessions: [], blocks: [open], length: 0 };
}

function add(batch: Batch, turn: Stamped, texts: Iterable<{ text: string }>): void {
  const open = batch.blocks.pop() as BlockRow;
  const before = open.length;
  const blocks = addTexts(
    open,
    turn.id,
    [...texts].map(({ text }) => text),
  );
  batch.blocks.push(...blocks.map((block, n) => Object.assign(block, { id: open.id + n })));
  batch.length += blocks.reduce((sum, { length }) => sum + length, -before);
  batch.turns.push(turn);
}

/** Returns false where somebody else wrote meanwhile. */
function write(index: Database, batch: Batch, version: number): boolean {
  if (batch.turns.length === 0 && batch.sessions.length === 0) return true;
  return index
    .transaction(() => {
      if (versionOf(index) !== version) return false;
      for (const block of batch.blocks) if (block.length > 0) saveBlock(index, block);
      for (const turn of batch.turns) saveStamp(index, "turns", turn);
      for (const session of batch.sessions) saveStamp(index, "sessions", session);
      joinFull(index);
      return true;
    })
    .immediate();
}

function joinFull(index: Database): void {
  if (countBlocks(index) <= segmentBlocks) return;
  const blocks = [...readBlocks(index)];
  for (let from = 0; from + segmentBlocks < blocks.length; from += segmentBlocks) {
    const segment = blocks.slice(from, from + segmentBlocks);
    saveSegment(index, segment, turnOver(segment));
  }
}
