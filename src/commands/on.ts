import { defineCommand } from "citty";
import { readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { changeConfig, readSection } from "./config-file.ts";
import { switches } from "./off.ts";
import { projectOfCall } from "./scope.ts";

/** `throughline on`: takes back what `off` did to this project. */
export default (env: Env) =>
  defineCommand({
    meta: { name: "on", description: "Store and tell again in this project, after `off`" },
    async run() {
      const project = projectOfCall(env);
      const own = readSection(env, project);
      const off = switches.filter((key) => own[key] === "off");
      if (off.length > 0) changeConfig(env, project, Object.fromEntries(off.map((key) => [key, undefined])));
      await printText(`${sayOn(env, project, off.length === 0)}\n`);
    },
  });

function sayOn(env: Env, project: string, already: boolean): string {
  const { config } = readSettings(env, () => project);
  const still = switches.filter((key) => config[key] === "off");
  if (still.length > 0) {
    const how = still.map((key) => `\`throughline config unset ${key}\``).join(" and ");
    return `Throughline is not switched off for ${project} alone, but everywhere: ${how}.`;
  }
  if (already) return `Throughline is already on in ${project}.`;
  return `Throughline is on again in ${project}. What was said while it was off stays out.`;
}
