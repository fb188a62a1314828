import type { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import type { Env } from "../env.ts";
import type { Masks } from "../mask/masks.ts";
import { emptyFolder, folderWithoutLogin } from "../paths.ts";
import { beginRun, finishRun, readLackingOptions, saveLackingOption } from "../store/runs.ts";
import { keepLine, keepOwnText, saveAttempt } from "../store/summaries.ts";
import { endPause, type PauseReason, pauseWorker } from "../store/worker.ts";
import type { Helpers } from "../summarize/account.ts";
import { type RunAnswer, readAnswer } from "../summarize/answer.ts";
import { whatIsWrong } from "../summarize/check.ts";
import { argumentsFor, runClient } from "../summarize/client.ts";
import { renderPrompt } from "../summarize/prompt.ts";
import { mostTries, type Wanted } from "../summarize/queue.ts";
import type { FoundClient } from "./locate.ts";

/** Everything that a run needs beside its turns. */
export interface RunTools {
  client: FoundClient;
  model: string;
  vars: Record<string, string>;
  helpers: Helpers;
  /** The stored login must be out of the client's reach. */
  withoutLogin: boolean;
  /** What is masked in what is sent and in what is kept. */
  masks: Masks;
  /** Milliseconds after which the client is killed. */
  time: number;
  /** The person's wish to stop: kills the client. */
  signal?: AbortSignal;
}

/** What a run came to: how many lines were kept, and whether there is a point in going on now. */
export interface RunOutcome {
  kept: number;
  paused: PauseReason | undefined;
  /** Nothing was sent: the same turns are to be asked about again, in a form that the client takes. */
  again: boolean;
}

const hour = 3_600_000;
const day = 24 * hour;
const pauseTimes = { auth: hour, limit: hour, unreachable: hour / 6 };

/** Has the model write the turns' lines in one run, books it, and keeps what is good, all in one transaction. */
export async function makeLines(db: Database, env: Env, turns: Wanted[], tools: RunTools): Promise<RunOutcome> {
  const fence = crypto.randomUUID().slice(0, 8);
  const started = env.now();
  const run = beginRun(db, tools.model, turns.length, started);
  const { details } = tools.masks;
  const masked = turns.map((turn) => ({ ...turn, text: details(turn.text) }));
  const answer = await ask(db, env, tools, renderPrompt(masked, fence));
  return db
    .transaction(() => {
      const now = env.now();
      const kept = answer.kind === "lines" ? keepLines(db, turns, answer.lines, fence, tools, now) : 0;
      // Stopped by the person: the turns are as good as before.
      const isStopped = tools.signal?.aborted === true && answer.kind !== "lines";
      if (answer.kind === "failed" && !isStopped) for (const turn of turns) missed(db, turn, "none", tools, now);
      if (answer.kind === "option") saveLackingOption(db, tools.client.identity, answer.option);
      const sent = answer.kind === "lines" || answer.kind === "failed" || answer.costUsd > 0;
      const result = {
        inputTokens: answer.inputTokens,
        outputTokens: answer.outputTokens,
        costUsd: answer.costUsd,
        milliseconds: Math.round(now - started),
        outcome: isStopped ? "stopped" : outcomeOf(answer, kept === turns.length),
        message: "message" in answer ? answer.message : "option" in answer ? answer.option : null,
      };
      finishRun(db, run, result, kept, sent);
      return { kept, paused: isStopped ? undefined : pauseAfter(db, answer, now), again: answer.kind === "option" };
    })
    .immediate();
}

const outcomeOf = ({ kind }: RunAnswer, isComplete: boolean): string =>
  kind === "lines" ? (isComplete ? "ok" : "partly") : kind;

async function ask(db: Database, env: Env, tools: RunTools, prompt: string): Promise<RunAnswer> {
  const lacking = readLackingOptions(db, tools.client.identity);
  const folder = emptyFolder(env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const apart = tools.withoutLogin ? { CLAUDE_CONFIG_DIR: folderWithoutLogin(env) } : {};
  if (tools.withoutLogin) mkdirSync(folderWithoutLogin(env), { recursive: true, mode: 0o700 });
  const { model, helpers, time, signal } = tools;
  const { command } = tools.client;
  const vars = { ...tools.vars, ...apart };
  const output = await runClient({ command, model, lacking, prompt, vars, helpers, folder, time, signal });
  const answer = readAnswer(output.code, output.stdout, output.stderr);
  if (answer.kind !== "option" || argumentsFor(model, lacking, helpers).slice(5).includes(answer.option)) return answer;
  return { ...answer, kind: "failed", message: `the client does not know ${answer.option}` };
}

function keepLines(
  db: Database,
  turns: readonly Wanted[],
  lines: ReadonlyMap<number, unknown>,
  fence: string,
  tools: RunTools,
  now: number,
): number {
  let kept = 0;
  turns.forEach((turn, n) => {
    const line = lines.get(n + 1);
    const wrong = whatIsWrong(line, turn.said, fence);
    if (wrong !== undefined) missed(db, turn, wrong, tools, now);
    else {
      const text = tools.masks.details((line as string).trim());
      if (keepLine(db, { id: turn.id, text: turn.stored }, text, tools.model, now)) kept += 1;
    }
  });
  return kept;
}

// After two retries the turn's own text is its line; another day it is tried once more.
function missed(db: Database, turn: Wanted, reason: string, { masks }: RunTools, now: number): void {
  const tries = turn.tries + 1;
  if (tries < mostTries) return saveAttempt(db, turn.id, tries, reason, now);
  keepOwnText(db, { id: turn.id, text: turn.stored }, masks.details(turn.stored), now);
  saveAttempt(db, turn.id, mostTries - 1, reason, now + day);
}

function pauseAfter(db: Database, answer: RunAnswer, now: number): PauseReason | undefined {
  if (answer.kind === "lines") endPause(db);
  if (answer.kind !== "auth" && answer.kind !== "limit" && answer.kind !== "unreachable") return undefined;
  pauseWorker(db, { until: now + pauseTimes[answer.kind], reason: answer.kind, detail: answer.message });
  return answer.kind;
}
