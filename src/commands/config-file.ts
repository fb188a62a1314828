import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { ConfigError, findFolder, isSection, loadConfig, type Section } from "../config.ts";
import type { Env } from "../env.ts";
import { checkFolder } from "../ownership.ts";
import { configFile } from "../paths.ts";

/** What is to be set, by key; `undefined` takes a setting away. */
export type Changes = Record<string, unknown>;

/**
 * What the file itself says: everywhere, or of a project alone.
 * @throws ConfigError when it cannot be changed without harm: it is no JSON, or a part of it is no object
 */
export function readSection(env: Env, project: string | undefined): Section {
  return sectionOf(env, loadConfig(env) ?? {}, project).section;
}

/**
 * Writes settings, everywhere or of a project alone, and leaves all the rest of the file as it is. A project of which
 * nothing is left to say goes too.
 * @throws ConfigError as `readSection` does
 */
export function changeConfig(env: Env, project: string | undefined, changes: Changes): void {
  const whole = loadConfig(env) ?? {};
  const { section, projects, folder } = sectionOf(env, whole, project);
  const changed = Object.fromEntries(
    Object.entries({ ...section, ...changes }).filter(([, value]) => value !== undefined),
  );
  if (folder === undefined) return writeConfig(env, changed);
  const { [folder]: _, ...others } = projects;
  const all = Object.keys(changed).length > 0 ? { ...projects, [folder]: changed } : others;
  const { projects: __, ...everywhere } = whole;
  writeConfig(env, Object.keys(all).length > 0 ? { ...whole, projects: all } : everywhere);
}

interface Found {
  section: Section;
  projects: Section;
  folder: string | undefined;
}

function sectionOf(env: Env, whole: Section, project: string | undefined): Found {
  const { projects = {} } = whole;
  if (project === undefined) return { section: whole, projects: {}, folder: undefined };
  if (!isSection(projects)) throw new ConfigError(`${configFile(env)}: projects is no object of project folders`);
  const folder = findFolder(projects, project) ?? project;
  const section = projects[folder] ?? {};
  if (!isSection(section)) throw new ConfigError(`${configFile(env)}: projects: ${folder} is no object of settings`);
  return { section, projects, folder };
}

// Beside its place, then renamed: whoever reads meanwhile sees the old file or the new one. Where the person made it a
// link, what the link leads to is replaced.
function writeConfig(env: Env, value: Section): void {
  const named = configFile(env);
  checkFolder(dirname(named));
  mkdirSync(dirname(named), { recursive: true, mode: 0o700 });
  const file = existsSync(named) ? realpathSync(named) : named;
  const draft = `${file}.${crypto.randomUUID()}.new`;
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify(value, null, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
