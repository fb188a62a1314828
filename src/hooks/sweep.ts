import type { Database } from "bun:sqlite";
import type { Env } from "../env.ts";
import { pidOf } from "../processes.ts";
import { clientsOf, endSession, findIdleSessions } from "../store/sessions.ts";
import { catchUp } from "./catch-up.ts";
import { joinFork } from "./fork.ts";

const idleTime = 600_000;
const atOnce = 3;
/** Milliseconds for each. */
const readingTime = 300;

/**
 * Reads what sessions left behind that nobody ended: their windows were killed, or the machine was. A few at a time, by
 * whoever comes along; each is then over and not looked at again.
 */
export function sweep(db: Database, env: Env): void {
  const now = env.now();
  for (const session of findIdleSessions(db, now - idleTime, atOnce)) {
    if (clientsOf(db, session.id).some((client) => env.identify(pidOf(client)) === client)) continue;
    const { complete } = catchUp(db, env, session, readingTime);
    joinFork(db, env, session, true);
    if (complete) endSession(db, session.id, "gone", now);
  }
}
