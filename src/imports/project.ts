import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { type Config, readConfig } from "../config.ts";
import type { Env } from "../env.ts";
import { gitCommonDir, projectPath } from "../project.ts";
import { saveProject } from "../store/projects.ts";

/** The project of a folder that a file names; one of another system stays as it is written. */
export const projectOf = (folder: string): string =>
  isAbsolute(folder) ? projectPath(folder) : folder.normalize("NFC");

/** The row id of a project, made at first sight. */
export const saveProjectAt = (db: Database, env: Env, path: string): number =>
  saveProject(db, path, () => (existsSync(path) ? gitCommonDir(path) : undefined), env.now());

/** The settings that hold in a project. */
export type SettingsOf = (project: string) => Config;

/**
 * Each project's settings, read once.
 * @throws ConfigError when the file says something that it cannot
 */
export function settingsOf(env: Env): SettingsOf {
  const read = new Map<string, Config>();
  return (project) => {
    const config = read.get(project) ?? readConfig(env, project);
    read.set(project, config);
    return config;
  };
}
