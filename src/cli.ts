import { isatty } from "node:tty";
import { type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
import type { Commands } from "./commands/commands.ts";
import { examplesText, programHelp } from "./commands/help.ts";
import { strict } from "./commands/strict.ts";
import type { Env } from "./env.ts";
import { print } from "./output.ts";

/** Every command is made for an `Env` and may ask what other commands there are; their argument types differ. */
type Load = () => Promise<{ default: (env: Env, commands: Commands) => unknown }>;

const loads: Readonly<Record<string, Load>> = {
  install: () => import("./commands/install.ts"),
  uninstall: () => import("./commands/uninstall.ts"),
  doctor: () => import("./commands/doctor.ts"),
  completions: () => import("./commands/completions.ts"),
  detail: () => import("./commands/detail.ts"),
  preview: () => import("./commands/preview.ts"),
  status: () => import("./commands/status.ts"),
  search: () => import("./commands/search.ts"),
  sessions: () => import("./commands/sessions.ts"),
  link: () => import("./commands/link.ts"),
  unlink: () => import("./commands/unlink.ts"),
  fresh: () => import("./commands/fresh.ts"),
  restore: () => import("./commands/restore.ts"),
  config: () => import("./commands/config.ts"),
  off: () => import("./commands/off.ts"),
  on: () => import("./commands/on.ts"),
  export: () => import("./commands/export.ts"),
  summarize: () => import("./commands/summarize.ts"),
  forget: () => import("./commands/forget.ts"),
  import: () => import("./commands/import.ts"),
  db: () => import("./commands/db.ts"),
  view: () => import("./commands/view.ts"),
  statusline: () => import("./commands/statusline.ts"),
  demo: () => import("./commands/demo.ts"),
};

/**
 * Runs a command: data goes to stdout, words to stderr.
 * @throws what the command throws; a `UsageError`, or citty's `CLIError`, is bad input
 */
export async function run(env: Env, rawArgs: string[]): Promise<void> {
  Bun.unsafe.setJITPolicy(1); // the build's policy is for hooks
  const version = typeof THROUGHLINE_VERSION === "string" ? THROUGHLINE_VERSION : "0.0.0-dev";
  const commands: Commands = Object.fromEntries(
    Object.entries(loads).map(([name, load]) => [
      name,
      async () => strict((await load()).default(env, commands) as CommandDef),
    ]),
  );
  const main = defineCommand({
    meta: {
      name: "throughline",
      version,
      description: "Keeps the thread of your Claude Code conversations across /clear and new sessions.",
    },
    subCommands: commands,
  });
  const name = rawArgs[0] ?? "";
  if (rawArgs.length === 1 && (name === "--version" || name === "-v")) return void (await print(`${version}\n`));
  if (rawArgs.length === 0 || rawArgs.includes("--help") || rawArgs.includes("-h")) {
    const named = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
    if (!named) return await print(await programHelp(version, commands));
    const usage = await renderUsage(named, main);
    return await print(`${isatty(1) ? usage : Bun.stripANSI(usage)}\n\n${examplesText(name)}`);
  }
  await runCommand(main, { rawArgs: name === "search" ? minusWordsLast(rawArgs) : rawArgs });
}

// `search token -test`: what a command line takes for letters of options is a word to leave out.
function minusWordsLast(args: readonly string[]): string[] {
  const isMinusWord = (arg: string) => /^-[^-]/.test(arg);
  return args.includes("--") || !args.some(isMinusWord)
    ? [...args]
    : [...args.filter((arg) => !isMinusWord(arg)), "--", ...args.filter(isMinusWord)];
}
