import type { Database } from "bun:sqlite";
import { type Hit, type Match, rank } from "../search/rank.ts";
import { candidatesFor, findTurns, type Search } from "./find.ts";

/** So many of the newest hits are put in order, then so many older ones: a word that most turns have is found at once. */
const rankedTogether = 200;

/** Some of what was found, the best first. */
export interface Best {
  hits: Hit[];
  /** How many turns were found, and whether there are no more. */
  turns: number;
  isAll: boolean;
  /** How many turns were read because the index does not have them. */
  unindexed: number;
}

/**
 * Finds the hits from a place on.
 * @param indexFile where the index is, if there is one
 * @param now UTC milliseconds: what is newer counts for more
 * @param count of hits; those of one call must lie within 200
 */
export function findBest(
  db: Database,
  indexFile: string,
  search: Search,
  now: number,
  { from, count }: { from: number; count: number },
): Best {
  const { turns, unindexed } = candidatesFor(db, indexFile, search);
  const before = from - (from % rankedTogether);
  const together: Match[] = [];
  let found = 0;
  for (const match of findTurns(db, search, turns)) {
    found += 1;
    if (found > before + rankedTogether) break;
    if (found > before) together.push(match);
  }
  const hits = rank(together, now).slice(from - before, from - before + count);
  return { hits, turns: Math.min(found, before + rankedTogether), isAll: found <= before + rankedTogether, unindexed };
}
