import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "../env.ts";
import { clientProjects } from "../paths.ts";

/** A hook of the earlier program in a settings file of the client's. */
export interface OldHook {
  file: string;
  event: string;
  command: string;
}

/** The client's settings files that count here: the user's, and those of the folder it runs in. */
const settingsFiles = (env: Env): string[] => [
  join(dirname(clientProjects(env)), "settings.json"),
  join(env.cwd, ".claude/settings.json"),
  join(env.cwd, ".claude/settings.local.json"),
];

/** The earlier program's hooks in the settings of the user and of this folder: both programs at once would tell twice. */
export const findOldHooks = (env: Env): OldHook[] => [...new Set(settingsFiles(env))].flatMap(hooksIn);

function hooksIn(file: string): OldHook[] {
  if (!existsSync(file)) return [];
  return Object.entries(asRecord(asRecord(parse(readFileSync(file, "utf8"))).hooks)).flatMap(([event, matchers]) =>
    asArray(matchers)
      .flatMap((matcher) => asArray(asRecord(matcher).hooks))
      .map((hook) => commandOf(asRecord(hook)))
      .filter(isOld)
      .map((command) => ({ file, event, command })),
  );
}

// This program's own hooks are `hook <name>` of one binary, and as a rule the plugin's, not the settings'.
const isOld = (command: string): boolean =>
  /throughline/i.test(command) && !/throughline(\.exe)?["']? hook /i.test(command);

const commandOf = ({ command, args }: Record<string, unknown>): string =>
  [command, ...asArray(args)].filter((word) => typeof word === "string").join(" ");

/** What removes them, a line each. */
export const removalLines = (hooks: readonly OldHook[]): string[] =>
  hooks.map(
    ({ file, event, command }) => `in ${file}, from hooks.${event}, remove the entry with the command: ${command}`,
  );

// A settings file that is no JSON is the client's to complain about.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
