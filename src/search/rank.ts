import { finderOf, type Query } from "./query.ts";

/** A piece of a turn that is searched. */
export interface Piece {
  turnId: number;
  /** Who said it, or what it is: `user`, `assistant`, `line`, a tool's name. */
  where: string;
  text: string;
}

/** A turn that holds all that is looked for. */
export interface Hit {
  turnId: number;
  score: number;
  /** The pieces with hits, those with the most different ones first. */
  pieces: Piece[];
}

interface Tally {
  counts: number[];
  length: number;
  isExcluded: boolean;
  pieces: { piece: Piece; terms: number }[];
}

// Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009): the usual values.
const saturation = 1.2;
const lengthShare = 0.75;
/** A turn of today counts half as much again as one of long ago. */
const recencyShare = 0.5;
const month = 30 * 86_400_000;
const mostPieces = 3;

/**
 * The turns whose pieces together hold every term, the best first by BM25 and age. Pieces of one turn may come in any order.
 * @param startedAt when a turn began, UTC milliseconds
 */
export function rank(pieces: Iterable<Piece>, query: Query, startedAt: (turnId: number) => number, now: number): Hit[] {
  const finders = query.terms.map(finderOf);
  const unwanted = query.without.map(finderOf);
  const tallies = new Map<number, Tally>();
  for (const piece of pieces) tally(tallies, piece, finders, unwanted);
  const all = [...tallies.values()];
  const meanLength = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
  const weights = finders.map((_, n) => {
    const holding = all.filter(({ counts }) => (counts[n] ?? 0) > 0).length;
    return Math.log(1 + (all.length - holding + 0.5) / (holding + 0.5));
  });
  return [...tallies]
    .filter(([, { counts, isExcluded }]) => !isExcluded && counts.every((count) => count > 0))
    .map(([turnId, turn]) => ({
      turnId,
      score: scoreOf(turn, weights, meanLength) * recency(startedAt(turnId), now),
      pieces: turn.pieces
        .toSorted((a, b) => b.terms - a.terms)
        .slice(0, mostPieces)
        .map(({ piece }) => piece),
    }))
    .sort((a, b) => b.score - a.score || b.turnId - a.turnId);
}

function tally(
  tallies: Map<number, Tally>,
  piece: Piece,
  finders: readonly RegExp[],
  unwanted: readonly RegExp[],
): void {
  const known = tallies.get(piece.turnId) ?? { counts: finders.map(() => 0), length: 0, isExcluded: false, pieces: [] };
  tallies.set(piece.turnId, known);
  known.length += piece.text.length;
  known.isExcluded ||= unwanted.some((finder) => piece.text.search(finder) !== -1);
  let terms = 0;
  for (const [n, finder] of finders.entries()) {
    const count = piece.text.match(finder)?.length ?? 0;
    if (count === 0) continue;
    terms += 1;
    known.counts[n] = (known.counts[n] ?? 0) + count;
  }
  if (terms > 0) known.pieces.push({ piece, terms });
}

function scoreOf({ counts, length }: Tally, weights: readonly number[], meanLength: number): number {
  const norm = saturation * (1 - lengthShare + (lengthShare * length) / Math.max(1, meanLength));
  return counts.reduce((sum, count, n) => sum + ((weights[n] ?? 0) * count * (saturation + 1)) / (count + norm), 0);
}

const recency = (at: number, now: number): number => 1 + recencyShare * Math.exp(-Math.max(0, now - at) / month);
