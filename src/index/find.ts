import type { Database } from "bun:sqlite";
import type { Query } from "../search/query.ts";
import { type Match, matcherOf } from "../search/rank.ts";
import { isDamage } from "../store/damage.ts";
import { atOnce } from "../store/index-rows.ts";
import { asWritten, countTurns, isTouching, type SearchScope, textsOf, turnsIn } from "../store/search.ts";
import { dropIndex, isOfSqlite, openIndexReadonly } from "../store/search-index.ts";
import { turnsWith } from "./candidates.ts";
import { staleSessions, staleTurns } from "./stale.ts";

/** What is looked for, and where. */
export interface Search {
  query: Query;
  scope: SearchScope;
  /** Only turns whose tools were given this file. */
  file?: string | undefined;
}

/** Which turns have to be read. */
export interface Candidates {
  /** `undefined`: all. */
  turns: ReadonlySet<number> | undefined;
  /** How many turns the index does not know. */
  unindexed: number;
}

/** The turns with all that is looked for, the newest first, one at a time. Each is read: the index only spares reading others. */
export function* findTurns(db: Database, { query, scope, file }: Search, turns: Candidates["turns"]): Generator<Match> {
  const match = matcherOf(query);
  for (const turn of turnsIn(db, scope, turns)) {
    if (file !== undefined && !isTouching(db, turn.turnId, file)) continue;
    const found = match(turn, textsOf(db, turn.turnId, scope));
    if (found) yield found;
  }
}

/** Asks the index at a file which turns may have what is looked for. One that is damaged is thrown away. */
export function candidatesFor(db: Database, indexFile: string, search: Search): Candidates {
  using index = openIndexReadonly(indexFile);
  if (!index) return withoutIndex(db);
  try {
    return atOnce(index, () => ask(db, index, search));
  } catch (error) {
    if (!isOfSqlite(error)) throw error;
    if (isDamage(error)) dropIndex(indexFile);
    return withoutIndex(db);
  }
}

const withoutIndex = (db: Database): Candidates => ({ turns: undefined, unindexed: countTurns(db) });

function ask(db: Database, index: Database, { query, file }: Search): Candidates {
  const unindexed = staleSessions(db, index).flatMap(({ id }) => staleTurns(db, index, id).map((turn) => turn.id));
  const sets = query.terms.map((term) => turnsWith(index, term));
  if (file !== undefined) sets.push(either(turnsWith(index, file), turnsWith(index, asWritten(file))));
  const all = sets.filter((set) => set !== undefined);
  if (all.length === 0) return { turns: undefined, unindexed: unindexed.length };
  const turns = all.reduce((some, more) => some.intersection(more));
  for (const turn of unindexed) turns.add(turn);
  return { turns, unindexed: unindexed.length };
}

const either = (a: Set<number> | undefined, b: Set<number> | undefined): Set<number> | undefined =>
  a && b && a.union(b);
