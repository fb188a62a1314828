import type { Database } from "bun:sqlite";
import { defineCommand } from "citty";
import { readConfig } from "../config.ts";
import { withCommas } from "../context/numbers.ts";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { databaseFile } from "../paths.ts";
import { hurryAll } from "../store/due.ts";
import { openStore } from "../store/open.ts";
import { getSession } from "../store/sessions.ts";
import { threadEnds } from "../store/summaries.ts";
import { claimWorker, readPause, releaseWorker, renewWorker } from "../store/worker.ts";
import { estimateCost } from "../summarize/cost.ts";
import { batchLimits, nextBatch, type Wanted } from "../summarize/queue.ts";
import { backlog } from "../worker/missing.ts";
import { makeLines, type RunTools } from "../worker/run.ts";
import { readyTools } from "../worker/tools.ts";
import { workTimes } from "../worker/work.ts";
import { findScope } from "./scope.ts";
import { InterruptedError, UsageError } from "./usage.ts";

const lockTime = workTimes.run + 30_000;

/** `throughline summarize`: lines for all older turns, those of imports and of ended threads too. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "summarize",
      description: "Have a line written for every older turn of this project that has none; can be interrupted",
    },
    args: {
      all: { type: "boolean", description: "The turns of all projects" },
      "dry-run": { type: "boolean", description: "Only say how many turns there are and what it would cost" },
    },
    async run({ args }) {
      using db = openStore(databaseFile(env));
      const projectId = args.all ? undefined : findScope(db, env, undefined)?.projectId;
      if (!args.all && projectId === undefined)
        throw new UsageError("nothing is stored for this folder; --all takes all");
      const wanted = collect(db, projectId, env.now());
      await printText(`${estimateText(wanted)}\n`);
      if (args["dry-run"] || wanted.length === 0) return;
      const tools = { ...toolsFor(db, env), signal: stopSignal() };
      const { kept, missed } = await withLock(db, env, tools.signal, (keep) =>
        makeAll(db, env, collect(db, projectId, env.now()), tools, keep),
      );
      await printText(`${kept} lines written${missed > 0 ? `, ${missed} turns without one; try again later` : ""}\n`);
    },
  });

// A copied history lists a turn twice.
function collect(db: Database, projectId: number | undefined, now: number): Wanted[] {
  const found = new Map<number, Wanted>();
  for (const id of threadEnds(db, projectId)) {
    for (const turn of backlog(db, getSession(db, id), now)) found.set(turn.id, turn);
  }
  return [...found.values()];
}

function estimateText(wanted: readonly Wanted[]): string {
  const { tokens, dollars } = estimateCost(wanted);
  if (wanted.length === 0) return "Every older turn has its line.";
  return `${wanted.length} turns without a line: about ${withCommas(tokens)} tokens, at list price about $${dollars.toFixed(2)} (a plan's login pays with its usage)`;
}

// The second time the signal ends the program as it does by itself.
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  return stop.signal;
}

async function withLock<T>(
  db: Database,
  env: Env,
  signal: AbortSignal,
  act: (keep: () => boolean) => Promise<T>,
): Promise<T> {
  const holder = crypto.randomUUID();
  const deadline = () => env.now() + lockTime;
  const runs = (pid: number) => env.identify(pid) !== undefined;
  for (let told = false; !claimWorker(db, holder, env.pid, env.now(), deadline(), runs); told = true) {
    if (!told) process.stderr.write("Lines are being written already; waiting for that to end\n");
    hurryAll(db);
    await Bun.sleep(250);
    if (signal.aborted) throw interrupted(0);
  }
  try {
    return await act(() => renewWorker(db, holder, env.pid, deadline()));
  } finally {
    releaseWorker(db, holder);
  }
}

async function makeAll(
  db: Database,
  env: Env,
  wanted: readonly Wanted[],
  tools: RunTools & { signal: AbortSignal },
  keep: () => boolean,
): Promise<{ kept: number; missed: number }> {
  let [kept, rest] = [0, wanted];
  try {
    // Asked by hand, a turn is tried once; what fails is tried again at the next call or another day.
    while (rest.length > 0 && keep()) {
      progress(wanted.length - rest.length, wanted.length);
      const batch = nextBatch(rest, batchLimits);
      const outcome = await makeLines(db, env, batch, tools);
      kept += outcome.kept;
      if (tools.signal.aborted) throw interrupted(kept);
      if (outcome.paused) throw new Error(`stopped after ${kept} lines: ${readPause(db)?.detail ?? outcome.paused}`);
      if (!outcome.again) rest = rest.slice(batch.length);
    }
    progress(wanted.length, wanted.length);
  } finally {
    if (process.stderr.isTTY) process.stderr.write("\n");
  }
  return { kept, missed: wanted.length - kept };
}

const interrupted = (kept: number): InterruptedError =>
  new InterruptedError(`interrupted; ${kept} lines were written and are kept. The same command goes on from here`);

function toolsFor(db: Database, env: Env): RunTools {
  const config = readConfig(env);
  if (config.summaries === "off") throw new UsageError('summaries are switched off: "summaries" in config.json');
  const tools = readyTools(db, env, config, config.summaries, workTimes.run);
  if (tools) return tools;
  const pause = readPause(db);
  throw new Error(whatIsMissing[pause?.reason ?? ""] ?? "lines cannot be written now");
}

const whatIsMissing: Readonly<Record<string, string>> = {
  "no-login": 'there is no Claude login, and keys are not used unasked: "summaries": "any" in config.json uses them',
  "foreign-url": "ANTHROPIC_BASE_URL names an address where the login does not belong, and there is no key for it",
  "no-client": 'claude was not found; "claude": "/path/to/claude" in config.json names it',
};

function progress(done: number, all: number): void {
  if (!process.stderr.isTTY) return;
  const width = 30;
  const full = Math.round((done / all) * width);
  process.stderr.write(`\r${"█".repeat(full)}${"░".repeat(width - full)} ${done} of ${all}`);
}
