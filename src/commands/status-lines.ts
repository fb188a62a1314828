import type { Database } from "bun:sqlite";
import { type Config, readSettings } from "../config.ts";
import { withCommas } from "../context/numbers.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { Env } from "../env.ts";
import { readTold } from "../store/restores.ts";
import { readSpend, type Spend, startOfDay } from "../store/runs.ts";
import { countLines } from "../store/summaries.ts";
import { readPause } from "../store/worker.ts";
import { countWaiting } from "../worker/missing.ts";

/** What the lines of older turns cost, and what restores save: for `status`. */
export interface LinesStatus {
  mode: Config["summaries"];
  lines: number;
  /** Of these, turns whose own text stands in for a line. */
  own_text: number;
  /** Turns that wait for the worker. */
  waiting: number;
  today: Spend;
  total: Spend;
  /** Why nobody tries for now. */
  paused: { until: string; reason: string; detail: string | null } | null;
  /** What all restores of the project put in, and the contexts in whose place they were put, in tokens. */
  restores: { count: number; tokens: number; replaced_tokens: number };
}

export function readLinesStatus(db: Database, env: Env, projectId: number | undefined): LinesStatus {
  const { lines, own } = countLines(db);
  const pause = readPause(db);
  const told = projectId === undefined ? [] : readTold(db, projectId);
  const { config } = readSettings(env, () => undefined);
  return {
    mode: config.summaries,
    lines,
    own_text: own,
    waiting: config.summaries === "off" ? 0 : countWaiting(db, config, env.now()),
    today: readSpend(db, startOfDay(db, env.now(), env.zoneOffset)),
    total: readSpend(db, 0),
    paused:
      pause && pause.until > env.now()
        ? { until: new Date(pause.until).toISOString(), reason: pause.reason, detail: pause.detail }
        : null,
    restores: {
      count: told.length,
      tokens: told.reduce((sum, { text }) => sum + estimateTokens(text), 0),
      replaced_tokens: told.reduce((sum, { replacedTokens }) => sum + replacedTokens, 0),
    },
  };
}

/** The same in rows of a name and a text. */
export function lineRows({
  mode,
  lines,
  own_text,
  waiting,
  today,
  total,
  paused,
  restores,
}: LinesStatus): [string, string][] {
  const state =
    mode === "off" ? "off" : `on (${mode})${paused ? `, paused until ${paused.until}: ${why(paused)}` : ""}`;
  const own = own_text > 0 ? `, ${own_text} of them the turn's own text` : "";
  const saved = `≈${withCommas(restores.tokens)} tokens in place of ${withCommas(restores.replaced_tokens)}`;
  return [
    ["Lines", `${state}; ${lines} written${own}${waiting > 0 ? `, ${waiting} turns wait` : ""}`],
    ["Lines today", spendText(today)],
    ["Lines in all", spendText(total)],
    ...(restores.count > 0
      ? ([["Restores", `${restores.count} of this project put in ${saved}`]] as [string, string][])
      : []),
  ];
}

const why = ({ reason, detail }: { reason: string; detail: string | null }): string =>
  detail ? `${reason} (${detail})` : reason;

const spendText = ({ runs, turns, kept, tokens, costUsd }: Spend): string =>
  `${turns} turns sent in ${runs} runs, ${kept} lines kept, ${withCommas(tokens)} tokens, $${costUsd.toFixed(4)}`;
