import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Env } from "./env.ts";
import { configFile } from "./paths.ts";
import { projectPath } from "./project.ts";
import { type Config, defaults, isKey, type Key, keys, settings } from "./settings.ts";

export type { Config } from "./settings.ts";

/** A JSON object of the file. */
export type Section = Record<string, unknown>;

/** The settings that hold, where those come from that are not the defaults, and what is wrong with the file. */
export interface Reading {
  config: Config;
  origins: Partial<Record<Key, "config.json" | "this project">>;
  /** One sentence each, naming the file, the key and what is allowed. What they are about is as if it were not there. */
  problems: string[];
}

/** `config.json` says something that it cannot. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** The language where there is no conversation to take it from. */
export const plainLanguage = ({ language }: Config): "en" | "ja" => (language === "ja" ? "ja" : "en");

/**
 * The settings that hold in a project, or everywhere: its own, else the file's, else the defaults.
 * @throws ConfigError when the file is no JSON object or has an unknown key or value
 */
export function readConfig(env: Env, project?: string): Config {
  const { config, problems } = readSettings(env, () => project);
  if (problems.length > 0) throw new ConfigError(problems.join("; "));
  return config;
}

/**
 * The settings that hold in a project, as far as the file is right, and what is wrong with it.
 * @param projectOf asked only where the file has settings of projects
 */
export function readSettings(env: Env, projectOf: () => string | undefined): Reading {
  const reading: Reading = { config: { ...defaults }, origins: {}, problems: [] };
  const file = configFile(env);
  let whole: Section | undefined;
  try {
    whole = loadConfig(env);
  } catch (error) {
    reading.problems.push((error as Error).message);
  }
  if (!whole) return reading;
  const { projects = {}, ...everywhere } = whole;
  apply(reading, everywhere, "config.json", file);
  if (!isSection(projects)) {
    reading.problems.push(`${file}: projects is ${show(projects)}; allowed: an object of project folders`);
    return reading;
  }
  for (const folder of Object.keys(projects).filter((name) => !isAbsolute(name))) {
    reading.problems.push(`${file}: ${show(folder)} in projects; allowed: absolute paths`);
  }
  const folder = Object.keys(projects).length > 0 ? findFolder(projects, projectOf()) : undefined;
  if (folder === undefined) return reading;
  const own = projects[folder];
  if (isSection(own)) apply(reading, own, "this project", `${file}: projects: ${folder}`);
  else reading.problems.push(`${file}: projects: ${folder} is ${show(own)}; allowed: an object of settings`);
  return reading;
}

/**
 * What the file holds; `undefined` where there is none.
 * @throws ConfigError when it cannot be read or is no JSON object
 */
export function loadConfig(env: Env): Section | undefined {
  const file = configFile(env);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const why = error instanceof SyntaxError ? `is no JSON: ${error.message}` : `cannot be read: ${error}`;
    throw new ConfigError(`${file} ${why}`);
  }
  if (isSection(value)) return value;
  throw new ConfigError(`${file} is ${show(value)}; allowed: a JSON object of settings`);
}

export const isSection = (value: unknown): value is Section =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The name under which the file knows a project, however the person wrote its path. */
export const findFolder = (projects: Section, project: string | undefined): string | undefined =>
  project === undefined || Object.hasOwn(projects, project)
    ? project
    : Object.keys(projects).find((folder) => isAbsolute(folder) && projectPath(folder) === project);

/** What is wrong with a setting that the file or a person names; `undefined` when nothing is. */
export function findProblem(key: string, value: unknown): string | undefined {
  if (!isKey(key)) return `${/^\w+$/.test(key) ? key : show(key)} is no setting; allowed: ${keys.join(", ")}`;
  return settings[key].takes(value) ? undefined : `${key} is ${show(value)}; allowed: ${settings[key].values}`;
}

function apply(reading: Reading, section: Section, origin: "config.json" | "this project", place: string): void {
  for (const [key, value] of Object.entries(section)) {
    const problem = findProblem(key, value);
    if (problem !== undefined) reading.problems.push(`${place}: ${problem}`);
    else {
      Object.assign(reading.config, { [key]: value });
      reading.origins[key as Key] = origin;
    }
  }
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};
