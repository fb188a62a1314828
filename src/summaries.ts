import type { Database } from "bun:sqlite";
import type { Config } from "./config.ts";
import { fullTurns } from "./context/select.ts";
import type { Strings } from "./context/strings.ts";
import type { Env } from "./env.ts";
import { programOf } from "./processes.ts";
import { findOwnTurn, hurryDue, markDue } from "./store/due.ts";
import { walkThread } from "./store/lineage.ts";
import { isSomethingUntold } from "./store/notices.ts";
import type { Session } from "./store/sessions.ts";
import { readLineState } from "./store/summaries.ts";
import { claimWorker, isWorkWaiting } from "./store/worker.ts";

/** How long a worker that a hook starts may take to be there, in milliseconds; then another one is started. */
const startTime = 15_000;

/** The variable in which a hook hands on the program that started it: it may be gone before the worker looks. */
export const startedBy = "THROUGHLINE_STARTED_BY";

/**
 * Sees to it that the older turns of a session's thread get their lines: notes that some are missing and starts the worker
 * unless one is at work. Returns at once.
 * @param urgent whether no more turns are to be waited for, as the session is over
 */
export function wantLines(db: Database, env: Env, config: Config, session: Session, urgent: boolean): void {
  if (config.summaries === "off" || config.restore_parts === 0 || config.inherit === "off") return;
  const now = env.now();
  if (isLineMissing(db, session, now)) markDue(db, session, fullTurns, urgent, now);
  else if (urgent) hurryDue(db, session.id);
  const runs = (pid: number) => env.identify(pid) !== undefined;
  if (!isWorkWaiting(db, now, runs)) return;
  const holder = crypto.randomUUID();
  if (!claimWorker(db, holder, null, now, now + startTime, runs)) return;
  env.startAgain(["worker"], {
    THROUGHLINE_WORKER: "1",
    THROUGHLINE_HOLDER: holder,
    [startedBy]: programOf(Number(env.vars.CLAUDE_PID)).join("\n"),
  });
}

/**
 * Whether a thread wants lines: the newest of the turns told as lines is the one that gets its line first; where it has one, so
 * have the older ones, or the thread is noted already.
 */
export function isLineMissing(db: Database, session: Session, now: number): boolean {
  const id = findOwnTurn(db, session.id, fullTurns + 1) ?? inheritedTurn(db, session);
  if (id === undefined) return false;
  const { isMade, retryAt } = readLineState(db, id);
  return !isMade && retryAt <= now;
}

function inheritedTurn(db: Database, session: Session): number | undefined {
  if (session.inheritedTurns === 0) return undefined;
  let n = 0;
  for (const turn of walkThread(db, session)) if (++n > fullTurns) return turn.id;
  return undefined;
}

/** What the person is told of lines at a start; nothing most of the time. */
export async function tellOfLines(db: Database, env: Env, config: Config, say: Strings): Promise<string | undefined> {
  if (config.summaries === "off" || !isSomethingUntold(db)) return undefined;
  const { tellLines } = await import("./worker/notices.ts");
  return tellLines(db, env, config.summaries, say);
}
