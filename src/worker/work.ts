import type { Database } from "bun:sqlite";
import { backUpWeekly } from "../backups/weekly.ts";
import { type Config, readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { catchUp } from "../index/catch-up.ts";
import { databaseFile, searchIndexFile } from "../paths.ts";
import { pruneDaily } from "../prune/prune.ts";
import { type Due, readDue, settleDue } from "../store/due.ts";
import { openStore } from "../store/open.ts";
import { projectPathOf } from "../store/projects.ts";
import { readSpend, startOfDay } from "../store/runs.ts";
import { getSession } from "../store/sessions.ts";
import { claimWorker, pauseWorker, readPause, releaseWorker, renewWorker } from "../store/worker.ts";
import { batchLimits, nextBatch, type Wanted } from "../summarize/queue.ts";
import { missingLines } from "./missing.ts";
import { mayBegin } from "./notices.ts";
import { makeLines } from "./run.ts";
import { readyTools } from "./tools.ts";

/** How long things may take, in milliseconds. */
export interface WorkTimes {
  /** One run of the client. */
  run: number;
  /** The worker, from its start to its last run. */
  life: number;
  /** How long a thread must be quiet before it is served with less than a full run. */
  quiet: number;
  poll: number;
}

/** A run writes 8,000 characters at most, about 90 s. Quiet: prompts that follow each other closely share a run. */
export const workTimes: WorkTimes = { run: 150_000, life: 900_000, quiet: 8_000, poll: 250 };

const day = 86_400_000;
/** A thread that nobody touched for so long is no live one. */
const liveTime = 7 * day;
/** How long after a run's time is up the lock is stale. */
const margin = 30_000;

/** Makes the lines that live threads lack, until none is missing. Of several workers at once one works, the others leave. */
export async function work(env: Env, times: WorkTimes = workTimes): Promise<void> {
  using db = openStore(databaseFile(env));
  const given = env.vars.THROUGHLINE_HOLDER;
  const holder = given ?? crypto.randomUUID();
  const deadline = () => env.now() + times.run + margin;
  const isOurs =
    given === undefined
      ? claimWorker(db, holder, env.pid, env.now(), deadline(), (pid) => env.identify(pid) !== undefined)
      : renewWorker(db, holder, env.pid, deadline());
  if (!isOurs) return;
  try {
    const { config } = readSettings(env, () => undefined);
    backUpWeekly(db, env, config);
    pruneDaily(db, env, config);
    const end = env.now() + times.life;
    const keepLock = () => env.now() < end && renewWorker(db, holder, env.pid, deadline());
    while (keepLock() && (await serve(db, env, times, holder)));
  } finally {
    releaseWorker(db, holder);
  }
  await catchUp(db, searchIndexFile(env));
}

/** Brings the search index up to date, and nothing else. */
export async function indexTexts(env: Env): Promise<void> {
  using db = openStore(databaseFile(env));
  await catchUp(db, searchIndexFile(env));
}

/** Serves one thread with one run; `false` where there is nothing more to do. */
async function serve(db: Database, env: Env, times: WorkTimes, holder: string): Promise<boolean> {
  const now = env.now();
  if ((readPause(db)?.until ?? 0) > now) return false;
  const due = readDue(db);
  if (due.length === 0) return !releaseWorker(db, holder, true);
  const chosen = choose(db, env, due, now, times.quiet);
  if (!chosen) {
    await Bun.sleep(times.poll);
    return true;
  }
  if (chosen.turns.length === 0) {
    settleDue(db, chosen.due);
    return true;
  }
  const { config } = chosen;
  const left = config.summaries_per_day - readSpend(db, startOfDay(db, now, env.zoneOffset)).turns;
  if (left <= 0) {
    pauseWorker(db, { until: startOfDay(db, now + day, env.zoneOffset), reason: "cap", detail: null });
    return false;
  }
  const tools = config.summaries === "off" ? undefined : readyTools(db, env, config, config.summaries, times.run);
  if (!tools || !mayBegin(db)) return false;
  const { paused } = await makeLines(db, env, chosen.turns.slice(0, left), tools);
  return paused === undefined;
}

// A thread is served at once where it is over, gone quiet, or wants a full run.
function choose(
  db: Database,
  env: Env,
  due: readonly Due[],
  now: number,
  quiet: number,
): { due: Due; turns: Wanted[]; config: Config } | undefined {
  for (const one of due) {
    const session = getSession(db, one.sessionId);
    const { config } = readSettings(env, () => projectPathOf(db, session.projectId));
    const isUnwanted = now - one.markedAt > liveTime || config.summaries === "off" || config.capture === "off";
    if (isUnwanted) return { due: one, turns: [], config };
    const missing = missingLines(db, session, config, now);
    const turns = nextBatch(missing, batchLimits);
    const isFull = turns.length === batchLimits.turns || turns.length < missing.length;
    if (isFull || turns.length === 0 || one.urgent || Math.abs(now - one.markedAt) >= quiet)
      return { due: one, turns, config };
  }
  return undefined;
}
