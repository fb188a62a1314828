import type { Database } from "bun:sqlite";
import { dateOf, timeOf } from "../context/clock.ts";
import type { Strings } from "../context/strings.ts";
import type { Env } from "../env.ts";
import { measureThread, walkThread } from "../store/lineage.ts";
import type { Session } from "../store/sessions.ts";
import type { StoredTurn } from "../types.ts";
import { catchUp } from "./catch-up.ts";

const catchUpTime = 1_000;

/** The one line after a compaction: how many turns came before, from when to when, and where they are word for word. */
export function compactNote(db: Database, session: Session, env: Env, say: Strings): string | undefined {
  catchUp(db, env, session, catchUpTime);
  const newest = walkThread(db, session).next().value as StoredTurn | undefined;
  if (!newest) return undefined;
  const { turns, since } = measureThread(db, session, Number.MAX_SAFE_INTEGER);
  const first = { startedAt: since ?? newest.startedAt, zoneOffset: newest.zoneOffset };
  const [from, to] = [`${dateOf(first)} ${timeOf(first)}`, `${dateOf(newest)} ${timeOf(newest)}`];
  return say.compacted(turns, from, to, `${from}-${to}`);
}
