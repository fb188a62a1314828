import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "../env.ts";
import { clientProjects } from "../paths.ts";
import type { Step } from "./steps.ts";

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
export const findOldHooks = (env: Env): OldHook[] =>
  [...new Set(settingsFiles(env))]
    .filter((file) => existsSync(file))
    .flatMap((file) => hooksIn(parse(readFileSync(file, "utf8"))).map((hook) => ({ file, ...hook })));

/** What takes the earlier program's hooks out of a settings file: nothing else of it changes, and a copy is kept beside. */
export function removalOf(file: string): Step[] {
  const path = realpathSync(file);
  const mode = statSync(path).mode & 0o777;
  const before = readFileSync(path, "utf8");
  const copy = `${path}.before-throughline`;
  const after = `${JSON.stringify(withoutOldHooks(parse(before)), null, 2)}\n`;
  return [
    { do: "write", path: copy, text: before },
    { do: "mode", path: copy, mode },
    { do: "write", path, text: after },
    { do: "mode", path, mode },
  ];
}

/** The settings without the earlier program's hooks, and without what is empty then. */
export function withoutOldHooks(settings: Fields): Fields {
  const hooks = Object.entries(asFields(settings.hooks)).flatMap(([event, matchers]) => {
    const kept = asArray(matchers)
      .map(withoutOld)
      .filter((matcher) => matcher !== undefined);
    return kept.length > 0 ? [[event, kept] as const] : [];
  });
  const { hooks: _, ...rest } = settings;
  return hooks.length > 0 ? { ...settings, hooks: Object.fromEntries(hooks) } : rest;
}

function withoutOld(matcher: unknown): unknown {
  const hooks = asArray(asFields(matcher).hooks);
  const kept = hooks.filter((hook) => !isOld(commandOf(hook)));
  if (kept.length === hooks.length) return matcher;
  return kept.length > 0 ? { ...asFields(matcher), hooks: kept } : undefined;
}

const hooksIn = (settings: Fields): { event: string; command: string }[] =>
  Object.entries(asFields(settings.hooks)).flatMap(([event, matchers]) =>
    asArray(matchers)
      .flatMap((matcher) => asArray(asFields(matcher).hooks))
      .map(commandOf)
      .filter(isOld)
      .map((command) => ({ event, command })),
  );

/** The hooks of settings that call this program by themselves, beside the plugin's. */
export const countOwnHooks = (hooks: unknown): number =>
  Object.values(asFields(hooks))
    .flatMap(asArray)
    .flatMap((matcher) => asArray(asFields(matcher).hooks))
    .map(commandOf)
    .filter((command) => /throughline/i.test(command) && !isOld(command)).length;

// This program's own hooks are `hook <name>` of one binary, and as a rule the plugin's, not the settings'.
const isOld = (command: string): boolean =>
  /throughline/i.test(command) && !/throughline(\.exe)?["']? hook /i.test(command);

function commandOf(hook: unknown): string {
  const { command, args } = asFields(hook);
  return [command, ...asArray(args)].filter((word) => typeof word === "string").join(" ");
}

type Fields = Record<string, unknown>;

// A settings file that is no JSON is the client's to complain about.
function parse(text: string): Fields {
  try {
    return asFields(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
