import type { Message, StoredTurn } from "../types.ts";

/** A turn with what is told of it. */
export interface ContextTurn extends StoredTurn {
  messages: Message[];
  summary?: string;
}

/** What is told: the newest turns in full and older ones as lines, both oldest first. */
export interface Selection {
  full: ContextTurn[];
  lines: ContextTurn[];
}

/** Half of all real sessions have 13 turns or fewer, three quarters 34 or fewer (1,739 transcripts): 20 holds most of them whole. */
export const fullTurns = 20;

/**
 * Takes the newest 20 turns in full and then older ones as lines until the lines' room is full.
 * @param newestFirst turns as a thread is walked; read no further than needed
 * @param lineLength the room a turn's line takes above the newer line, if there is one, in UTF-16 units
 * @param room for all lines, in UTF-16 units
 */
export function selectTurns(
  newestFirst: Iterable<ContextTurn>,
  lineLength: (turn: ContextTurn, newer: ContextTurn | undefined) => number,
  room: number,
): Selection {
  const full: ContextTurn[] = [];
  const lines: ContextTurn[] = [];
  for (const turn of newestFirst) {
    if (full.length < fullTurns) full.unshift(turn);
    else {
      room -= lineLength(turn, lines[0]);
      if (room < 0) break;
      lines.unshift(turn);
    }
  }
  return { full, lines };
}
