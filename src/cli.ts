import { type CommandDef, defineCommand, runCommand, showUsage } from "citty";
import { strict } from "./commands/strict.ts";
import type { Env } from "./env.ts";
import { print } from "./output.ts";

/** Every command is made for an `Env`; their argument types differ, so the map knows them only as commands. */
type Load = () => Promise<{ default: (env: Env) => unknown }>;

const commands: Readonly<Record<string, Load>> = {
  detail: () => import("./commands/detail.ts"),
  preview: () => import("./commands/preview.ts"),
  status: () => import("./commands/status.ts"),
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
  demo: () => import("./commands/demo.ts"),
};

/**
 * Runs a command: data goes to stdout, words to stderr.
 * @throws what the command throws; a `UsageError`, or citty's `CLIError`, is bad input
 */
export async function run(env: Env, rawArgs: string[]): Promise<void> {
  Bun.unsafe.setJITPolicy(1); // the build's policy is for hooks
  const version = typeof THROUGHLINE_VERSION === "string" ? THROUGHLINE_VERSION : "0.0.0-dev";
  const load = (name: string) => async () => strict((await (commands[name] as Load)()).default(env) as CommandDef);
  const main = defineCommand({
    meta: {
      name: "throughline",
      version,
      description: "Keeps the thread of your Claude Code conversations across /clear and new sessions.",
    },
    subCommands: Object.fromEntries(Object.keys(commands).map((name) => [name, load(name)])),
  });
  const name = rawArgs[0] ?? "";
  if (rawArgs.length === 1 && (name === "--version" || name === "-v")) return void (await print(`${version}\n`));
  if (rawArgs.length === 0 || rawArgs.includes("--help") || rawArgs.includes("-h")) {
    return Object.hasOwn(commands, name) ? showUsage(await load(name)(), main) : showUsage(main);
  }
  await runCommand(main, { rawArgs });
}
