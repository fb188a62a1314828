import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { listAside } from "../install/aside.ts";
import { findBlock } from "../install/blocked.ts";
import { lookAround } from "../install/found.ts";
import { perform } from "../install/perform.ts";
import type { Places } from "../install/places.ts";
import { quoted } from "../install/quote.ts";
import { type Kept, listKept, planUninstall, type Removal } from "../install/removal.ts";
import { restoringStatusLine } from "../install/status-line.ts";
import { describeStep } from "../install/steps.ts";
import { type Words, wordsFor } from "../install/words.ts";
import { printText } from "../output.ts";
import { databaseFile } from "../paths.ts";
import { pidOf } from "../processes.ts";
import { openStoreReadonly } from "../store/open.ts";
import { countAll, findServed, type Served } from "../store/windows.ts";
import { agrees } from "./ask.ts";

/** `throughline uninstall`: what install made, and with `--purge` what was stored. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "uninstall",
      description: "Remove the plugin and this program; what was stored stays unless --purge is given",
    },
    args: {
      purge: { type: "boolean", description: "Also delete everything that was stored" },
      claude: { type: "string", description: "The program of Claude Code", valueHint: "path" },
      yes: { type: "boolean", alias: "y", description: "Say yes to every question" },
      "dry-run": { type: "boolean", description: "Only show what would be done" },
    },
    async run({ args }) {
      const words = wordsFor(env);
      const found = await lookAround(env, process.execPath, "", args.claude);
      const stored = readStored(env);
      const planned = planUninstall(found, listKept(found), args.purge === true);
      const removal = { ...planned, steps: [...restoringStatusLine(env), ...planned.steps] };
      const block = findBlock(removal.steps, found.places);
      if (block !== undefined) throw new Error(`${block}: nothing was changed`);
      await printText(removalText(removal, stored, args.purge === true, words));
      if (args["dry-run"]) return;
      if (removal.steps.length > 0 && !(await agrees(args.purge ? words.purge : words.proceed, args.yes === true)))
        return;
      const refusals = await perform(env, removal.steps);
      await printText(lastLines(removal.kept, stored.windows, found.places));
      const commands = [...removal.toType, ...refusals.map(({ command }) => command)];
      if (commands.length === 0) return;
      const reason = refusals[0] ? `Claude Code refused: ${refusals[0].said}` : "Claude Code was not found";
      const lines = commands.map((command) => `  ${quoted(command)}`);
      throw new Error([`${reason}. Everything else is done; type this for the rest:`, ...lines].join("\n"));
    },
  });

/** What the store says before it goes. */
interface Stored {
  summary: string | undefined;
  windows: Served[];
}

// A store that cannot be read is no reason to keep the program.
function readStored(env: Env): Stored {
  try {
    using db = openStoreReadonly(databaseFile(env));
    if (!db) return { summary: undefined, windows: [] };
    const { turns, sessions, projects } = countAll(db);
    const windows = findServed(db).filter(({ client }) => env.identify(pidOf(client)) === client);
    return { summary: `${turns} turns of ${sessions} sessions in ${projects} projects`, windows };
  } catch (error) {
    return { summary: `unreadable: ${(error as Error).message}`, windows: [] };
  }
}

function removalText({ steps }: Removal, { summary }: Stored, purge: boolean, words: Words): string {
  const lines = steps.map((step) => `  ${describeStep(step)}`);
  return [
    ...(lines.length > 0 ? lines : [words.nothingToDo]),
    ...(purge && summary ? [`The database holds ${summary}.`] : []),
    "",
  ].join("\n");
}

function lastLines(kept: readonly Kept[], windows: readonly Served[], { client }: Places): string {
  const cache = join(client, "plugins/cache/throughline");
  return [
    ...windows.map(
      ({ client: name, project }) =>
        `Restart the window of process ${pidOf(name)} in ${project}: until then it reports hooks that are gone.`,
    ),
    ...kept.map(({ path }) => `Kept: ${path}`),
    ...(process.platform === "win32" ? listAside() : []).map(
      (path) => `Windows keeps a program that runs; it can be deleted now, or the next installation does: ${path}`,
    ),
    ...(existsSync(cache) ? [`Claude Code clears its own copy of the plugin's files by itself: ${cache}`] : []),
    "",
  ].join("\n");
}
