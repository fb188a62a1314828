import type { Database } from "bun:sqlite";
import { readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { readSpend, startOfDay } from "../store/runs.ts";
import { countLines } from "../store/summaries.ts";
import { readPause } from "../store/worker.ts";
import { countWaiting } from "../worker/missing.ts";
import { type Finding, note, ok } from "./finding.ts";

/** The lines of older turns: how many wait, what they cost, and whether the worker waits after an error. */
export function checkLines(env: Env, db: Database): Finding {
  const { lines } = countLines(db);
  const today = readSpend(db, startOfDay(db, env.now(), env.zoneOffset));
  const { config } = readSettings(env, () => undefined);
  if (config.summaries === "off") return ok(`${lines} lines of older turns are written; more are switched off`);
  const waiting = countWaiting(db, config, env.now());
  const what = `${lines} lines of older turns are written, ${waiting} turns wait; today ${today.turns} turns were sent, for $${today.costUsd.toFixed(4)}`;
  const pause = readPause(db);
  if (!pause || pause.until <= env.now()) return ok(what);
  const reason = pause.detail ? `${pause.reason}: ${pause.detail}` : pause.reason;
  const until = new Date(pause.until).toISOString();
  return note(
    `${what}; none until ${until} (${reason})`,
    "older turns show as their beginning",
    "throughline summarize",
  );
}
