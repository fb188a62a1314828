import { dirname } from "node:path";
import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { findBlock } from "../install/blocked.ts";
import { type Found, lookAround } from "../install/found.ts";
import { perform, type Refusal } from "../install/perform.ts";
import { type Plan, planInstall } from "../install/plan.ts";
import { quoted } from "../install/quote.ts";
import { type Scope, scopes } from "../install/settings.ts";
import { settingStatusLine } from "../install/status-line.ts";
import { describeStep, type Step } from "../install/steps.ts";
import { type Words, wordsFor } from "../install/words.ts";
import { printText } from "../output.ts";
import { agrees } from "./ask.ts";
import type { Commands } from "./commands.ts";
import { offerImport } from "./offer-import.ts";
import { programVersion } from "./program-version.ts";

/** `throughline install`: the program, the plugin and its registration, in one go. */
export default (env: Env, commands: Commands) =>
  defineCommand({
    meta: {
      name: "install",
      description: "Install this program and its plugin for Claude Code, or bring what is installed up to date",
    },
    args: {
      scope: {
        type: "enum",
        options: [...scopes],
        default: "user",
        description: "Where Claude Code uses it: everywhere, in this project, or in this project for you alone",
      },
      "bare-command": { type: "boolean", description: "Also /sc-detail, without the plugin's name before it" },
      statusline: {
        type: "boolean",
        description: "Also a status line that says when to clear; one that is there goes on above it",
      },
      link: {
        type: "boolean",
        default: true,
        description: "A link in ~/.local/bin when that is on the PATH",
        negativeDescription: "No link in ~/.local/bin",
      },
      import: {
        type: "boolean",
        default: true,
        description: "Offer to import the transcripts that are there",
        negativeDescription: "Do not offer to import transcripts",
      },
      claude: { type: "string", description: "The program of Claude Code", valueHint: "path" },
      yes: { type: "boolean", alias: "y", description: "Say yes to every question" },
      "dry-run": { type: "boolean", description: "Only show what would be done" },
    },
    async run({ args }) {
      const words = wordsFor(env);
      const found = await lookAround(env, process.execPath, programVersion(), args.claude);
      const wishes = {
        scope: args.scope as Scope,
        bareCommand: args["bare-command"] === true,
        shellLink: args.link,
      };
      const statusLine = args.statusline === true ? settingStatusLine(env, found.places, wishes.scope) : [];
      const plan = withMore(planInstall(found, wishes), statusLine);
      const block = findBlock(plan.steps, found.places);
      if (block !== undefined) throw new Error(`${block}: nothing was changed`);
      await printText(planText(plan, words));
      if (args["dry-run"]) return;
      if (plan.steps.length > 0 && !(await agrees(words.proceed, args.yes === true))) return;
      const refusals = await perform(env, plan.steps);
      if (args.import) await offerImport(env, commands, found.places.binary, words, args.yes === true);
      await printText(lastLines(found, words));
      complainAbout(plan, refusals);
    },
  });

// Before the client is asked for anything: it writes into the same settings file, and keeps what it finds there.
function withMore(plan: Plan, more: readonly Step[]): Plan {
  const own = plan.steps.filter((step) => step.do !== "run");
  return { ...plan, steps: [...own, ...more, ...plan.steps.filter((step) => step.do === "run")] };
}

function planText({ steps, left }: Plan, words: Words): string {
  const lines = steps.map((step) => `  ${describeStep(step)}`);
  return [
    ...(lines.length > 0 ? lines : [words.nothingToDo]),
    ...left.map((path) => `  left as it is, it is not ours: ${path}`),
    "",
  ].join("\n");
}

function lastLines({ places, isBinaryOnPath, isShellLinkOnPath }: Found, words: Words): string {
  const folder = dirname(places.binary);
  const line =
    process.platform === "win32"
      ? `$env:Path = '${folder.replaceAll("'", "''")};' + $env:Path`
      : `export PATH=${quoted([folder])}:"$PATH"`;
  return [...(isBinaryOnPath || isShellLinkOnPath ? [] : [words.path(line)]), words.restart, words.howToSee, ""].join(
    "\n",
  );
}

// Everything else is done; what the client would not or could not do is for the person.
function complainAbout({ trouble, toType }: Plan, refusals: readonly Refusal[]): void {
  const refused = refusals.map(({ command }) => command);
  const commands = [...toType, ...refused].map((command) => `  ${quoted(command)}`);
  if (commands.length === 0) return;
  const reason = trouble ?? `Claude Code refused: ${refusals[0]?.said}`;
  throw new Error([`${reason}. Everything else is done; type this for the rest:`, ...commands].join("\n"));
}
