import { finderOf, type Query } from "./query.ts";

/** A piece of a turn that is searched. */
export interface Piece {
  /** Who said it, or what it is: `user`, `assistant`, `line`, a tool's name. */
  where: string;
  text: string;
}

/** A turn that holds all that is looked for. */
export interface Match {
  turnId: number;
  /** UTC milliseconds. */
  startedAt: number;
  /** How often it has each term. */
  counts: number[];
  /** UTF-16 code units of all its pieces. */
  length: number;
  /** The pieces with hits, those with the most different ones first. */
  pieces: Piece[];
}

/** A match, and how good it is. */
export interface Hit extends Match {
  score: number;
}

// Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009): the usual values. Every hit has every term, so all
// terms weigh the same.
const saturation = 1.2;
const lengthShare = 0.75;
/** A turn of today counts half as much again as one of long ago. */
const recencyShare = 0.5;
const month = 30 * 86_400_000;
const mostPieces = 3;

/** Looks at one turn after the other: `undefined` where its pieces together do not hold every term, or one that is unwanted. */
export function matcherOf(
  query: Query,
): (turn: Pick<Match, "turnId" | "startedAt">, pieces: Iterable<Piece>) => Match | undefined {
  const finders = query.terms.map(finderOf);
  const unwanted = query.without.map(finderOf);
  return (turn, pieces) => {
    const counts = finders.map(() => 0);
    const having: { piece: Piece; terms: number }[] = [];
    let length = 0;
    for (const piece of pieces) {
      if (unwanted.some((finder) => piece.text.search(finder) !== -1)) return undefined;
      length += piece.text.length;
      let terms = 0;
      for (const [n, finder] of finders.entries()) {
        const count = piece.text.match(finder)?.length ?? 0;
        counts[n] = (counts[n] as number) + count;
        if (count > 0) terms += 1;
      }
      if (terms > 0) having.push({ piece, terms });
    }
    if (counts.includes(0)) return undefined;
    having.sort((a, b) => b.terms - a.terms);
    return { ...turn, counts, length, pieces: having.slice(0, mostPieces).map(({ piece }) => piece) };
  };
}

/** The best first, by BM25 and age; of two alike the newer one. */
export function rank(matches: readonly Match[], now: number): Hit[] {
  const meanLength = matches.reduce((sum, { length }) => sum + length, 0) / Math.max(1, matches.length);
  return matches
    .map((match) => ({ ...match, score: scoreOf(match, meanLength) * recency(match.startedAt, now) }))
    .sort((a, b) => b.score - a.score || b.startedAt - a.startedAt || b.turnId - a.turnId);
}

function scoreOf({ counts, length }: Match, meanLength: number): number {
  const norm = saturation * (1 - lengthShare + (lengthShare * length) / Math.max(1, meanLength));
  return counts.reduce((sum, count) => sum + (count * (saturation + 1)) / (count + norm), 0);
}

const recency = (at: number, now: number): number => 1 + recencyShare * Math.exp(-Math.max(0, now - at) / month);
