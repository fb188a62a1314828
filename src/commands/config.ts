import { defineCommand } from "citty";
import { findProblem, readConfig, readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { configFile } from "../paths.ts";
import { isKey, type Key, keys, settings } from "../settings.ts";
import { changeConfig, readSection } from "./config-file.ts";
import { listSettings, valueText } from "./config-list.ts";
import { projectOfCall } from "./scope.ts";
import { UsageError } from "./usage.ts";

/** What the command was called with. */
interface Call {
  env: Env;
  key: string;
  value: string;
  /** The project that is meant alone. */
  project: string | undefined;
  json: boolean;
}

interface Action {
  takes: readonly string[];
  run: (call: Call) => string;
}

const actions: Readonly<Record<string, Action>> = {
  list: { takes: ["--json"], run: ({ env, json }) => listSettings(env, json) },
  get: { takes: ["KEY"], run: getSetting },
  set: { takes: ["KEY", "VALUE", "--project"], run: setSetting },
  unset: { takes: ["KEY", "--project"], run: unsetSetting },
  path: { takes: [], run: ({ env }) => configFile(env) },
};

/** `throughline config`: the settings, where they come from, and changing them. */
export default (env: Env) =>
  defineCommand({
    meta: { name: "config", description: "List the settings with their origin; get, set or unset one" },
    args: {
      action: {
        type: "positional",
        required: false,
        description: "list, get KEY, set KEY VALUE, unset KEY, or path; absent: list",
      },
      key: { type: "positional", required: false, description: `The setting: ${keys.join(", ")}` },
      value: { type: "positional", required: false, description: "What it is to be" },
      project: { type: "boolean", description: "Set or unset it for the current folder's project alone" },
      json: { type: "boolean", description: "Print the list as JSON" },
    },
    async run({ args }) {
      const action = actionOf(args.action ?? "list");
      const given = [
        ...(args.key === undefined ? [] : ["KEY"]),
        ...(args.value === undefined ? [] : ["VALUE"]),
        ...(args.project ? ["--project"] : []),
        ...(args.json ? ["--json"] : []),
      ];
      const missing = action.takes.filter((name) => !name.startsWith("-") && !given.includes(name));
      if (missing.length > 0 || given.some((name) => !action.takes.includes(name)))
        throw new UsageError(
          `config ${args.action ?? "list"} takes ${action.takes.map(shown).join(" ") || "nothing more"}`,
        );
      const { key = "", value = "" } = args;
      const project = args.project ? projectOfCall(env) : undefined;
      await printText(`${action.run({ env, key, value, project, json: args.json === true })}\n`);
    },
  });

const shown = (name: string): string => (name.startsWith("-") ? `[${name}]` : name);

function actionOf(name: string): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new UsageError(`config takes ${Object.keys(actions).join(", ")}, not "${name}"`);
  return action;
}

function getSetting({ env, key }: Call): string {
  return valueText(readConfig(env, projectOfCall(env))[known(key)]);
}

function setSetting({ env, key, value, project }: Call): string {
  const name = known(key);
  const takes: (value: unknown) => boolean = settings[name].takes;
  const meant = [value, ...(value.trim() === "" ? [] : [Number(value)]), listIn(value)].find(takes);
  if (meant === undefined) throw new UsageError(`${name} is not "${value}"; allowed: ${settings[name].values}`);
  changeConfig(env, project, { [name]: meant });
  const own = project === undefined ? readSettings(env, () => projectOfCall(env)) : undefined;
  const hides = own?.origins[name] === "this project" && own.config[name] !== meant;
  return (
    `${name} is ${valueText(meant)} ${placeOf(project)}.` +
    (hides
      ? ` This project has its own, ${valueText(own.config[name])}: \`throughline config unset ${name} --project\``
      : "")
  );
}

// `["a", "b"]`; nothing else is a list.
function listIn(value: string): unknown {
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// A key that is none may be in the file all the same, and then this is how it gets out.
function unsetSetting({ env, key, project }: Call): string {
  if (!Object.hasOwn(readSection(env, project), key) || key === "projects") {
    return `${known(key)} was not set ${placeOf(project)}.`;
  }
  changeConfig(env, project, { [key]: undefined });
  const done = `${key} is no longer set ${placeOf(project)}`;
  if (!isKey(key)) return `${done}.`;
  const { config } = readSettings(env, () => projectOfCall(env));
  return `${done}: it is ${valueText(config[key])} in this project.`;
}

const placeOf = (project: string | undefined): string =>
  project === undefined ? "everywhere" : `in the project ${project}`;

function known(key: string): Key {
  if (isKey(key)) return key;
  throw new UsageError(findProblem(key, undefined));
}
