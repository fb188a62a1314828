import { createInterface } from "node:readline/promises";
import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { dropUnpacked } from "../imports/archive.ts";
import { planImport } from "../imports/files.ts";
import { bytesOf, ImportError, type Plan } from "../imports/plan.ts";
import { type SettingsOf, settingsOf } from "../imports/project.ts";
import { type Outcome, runImport } from "../imports/run.ts";
import { StoppedError } from "../imports/work.ts";
import { findOldHooks, type OldHook } from "../install/old-hooks.ts";
import { complain, printJson, printText } from "../output.ts";
import { databaseFile } from "../paths.ts";
import { yieldToOthers } from "../processes.ts";
import { openStore } from "../store/open.ts";
import { leftOutLines, outcomeText, planText } from "./import-words.ts";
import { showProgress } from "./progress.ts";
import { InterruptedError, UsageError } from "./usage.ts";

/** `throughline import`: stores what was said before Throughline was there, or elsewhere. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "import",
      description:
        "Store what was said before: Claude Code's transcripts, an export, or the earlier program's database",
    },
    args: {
      path: {
        type: "positional",
        required: false,
        description:
          "Transcripts, folders, .tar.gz or .zip archives, exports (- is stdin), throughline.db; else all transcripts",
        valueHint: "path…",
      },
      yes: { type: "boolean", alias: "y", description: "Do not ask" },
      "dry-run": { type: "boolean", description: "Only say what would be read" },
      json: { type: "boolean", description: "Print JSON" },
    },
    async run({ args }) {
      const settings = settingsOf(env);
      const plan = await explained(() => planImport(env, settings, args._));
      const isDry = args["dry-run"] === true;
      await complain(
        [`${isDry ? "Would import" : "To import"}: ${planText(plan)}`, ...leftOutLines(plan), ""].join("\n"),
      );
      if (isDry && args.json) await printJson(planJson(plan));
      const asks = !args.yes && process.stdin.isTTY && !args._.includes("-");
      if (isDry || (asks && !(await isWanted()))) return dropUnpacked(plan.unpacked);
      const { outcome, bytes, seconds } = await work(env, plan, settings);
      const hooks = plan.databases.length > 0 ? findOldHooks(env) : [];
      await (args.json
        ? printJson({ ...outcomeJson(outcome), bytes, seconds, old_hooks: hooks })
        : printText(`${outcomeText(outcome, bytes, seconds)}\n`));
      if (hooks.length > 0) await complain(oldHooksText(hooks));
    },
  });

const oldHooksText = (hooks: readonly OldHook[]): string =>
  [
    "The earlier program's hooks are still there; both at once would tell everything twice:",
    ...hooks.map(({ file, event, command }) => `  ${file}, ${event}: ${command}`),
    "`throughline doctor --fix` takes them out and keeps a copy of the file.",
    "",
  ].join("\n");

async function isWanted(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question("Go on? [Y/n] ");
  terminal.close();
  return /^\s*(y|yes)?\s*$/i.test(answer);
}

async function work(env: Env, plan: Plan, settings: SettingsOf) {
  let isStopped = false;
  // The second time the signal ends the program as it does by itself.
  process.once("SIGINT", () => {
    isStopped = true;
  });
  yieldToOthers();
  using db = openStore(databaseFile(env));
  const started = env.now();
  const progress = showProgress(bytesOf(plan), env.now, () => isStopped);
  try {
    const outcome = await explained(() => runImport(db, env, settings, plan, progress));
    return { outcome, bytes: progress.read(), seconds: (env.now() - started) / 1_000 };
  } finally {
    progress.clear();
  }
}

async function explained<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ImportError) throw new UsageError(error.message);
    if (error instanceof StoppedError) {
      throw new InterruptedError("interrupted; what was read is stored. The same command goes on from here");
    }
    throw error;
  }
}

const planJson = (plan: Plan) => ({
  transcripts: plan.transcripts.length,
  exports: plan.exports.length,
  databases: plan.databases.length,
  bytes: bytesOf(plan),
  left_out: Object.fromEntries(plan.leftOut),
});

const outcomeJson = (outcome: Outcome) => ({
  files: outcome.files,
  sessions: outcome.sessions,
  new_sessions: outcome.newSessions,
  new_turns: outcome.newTurns,
  left_out: Object.fromEntries(outcome.leftOut),
  skipped: Object.fromEntries(outcome.skipped),
  bad_lines: outcome.badLines,
});
