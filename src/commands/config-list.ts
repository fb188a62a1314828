import { readConfig, readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { printableJson } from "../output.ts";
import { configFile } from "../paths.ts";
import { keys, settings } from "../settings.ts";
import { projectOfCall } from "./scope.ts";

/**
 * Each setting with its value in this project, its default, where the value comes from and what it is for.
 * @throws ConfigError when the file is wrong
 */
export function listSettings(env: Env, json: boolean): string {
  const project = projectOfCall(env);
  readConfig(env, project);
  const { config, origins } = readSettings(env, () => project);
  const listed = keys.map((key) => ({
    key,
    value: config[key],
    default: settings[key].default,
    from: origins[key] ?? "default",
    allowed: settings[key].values,
    description: settings[key].description,
  }));
  const file = configFile(env);
  if (json) return printableJson({ file, project, settings: listed }, 2);
  const rows = listed.map((setting) => [
    setting.key,
    valueText(setting.value),
    valueText(setting.default),
    setting.from,
  ]);
  const lines = table([["setting", "value", "default", "from"], ...rows]);
  const notes = ["allowed", ...listed.map((setting) => `${setting.allowed}. ${setting.description}`)];
  return [
    ...lines.map((line, n) => `${line}  ${notes[n]}`),
    "",
    `config.json   ${file}`,
    `this project  ${project}`,
  ].join("\n");
}

/** A setting's value as it is shown and typed. */
export const valueText = (value: unknown): string => (Array.isArray(value) ? JSON.stringify(value) : `${value}`);

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}
