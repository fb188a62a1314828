import { statSync } from "node:fs";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import { programOf } from "../processes.ts";
import { startedBy } from "../summaries.ts";
import type { Command } from "../summarize/client.ts";
import { clientOfProgram, placesOf } from "../summarize/places.ts";
import { commandOf } from "../summarize/shim.ts";

/** The person's client, and a name for it that another version does not share. */
export interface FoundClient {
  command: Command;
  identity: string;
}

/**
 * Finds `claude`: where the settings say, else the process that started the hook, else PATH, else the usual places.
 * @returns `undefined` where it is not found; a setting that names no file is not passed over
 */
export function findClient(env: Env, config: Config): FoundClient | undefined {
  if (config.claude !== "") return clientAt(env, [config.claude]);
  for (const command of [startingClient(env), ...placesIn(env).map((place) => [place])]) {
    const found = command && clientAt(env, command);
    if (found) return found;
  }
  return undefined;
}

// The process that started the hook, or the one whose shell runs the command.
function startingClient(env: Env): string[] | undefined {
  const told = env.vars[startedBy];
  return clientOfProgram(told === undefined ? programOf(Number(env.vars.CLAUDE_PID)) : told.split("\n"));
}

const placesIn = (env: Env): string[] =>
  placesOf({
    platform: process.platform,
    home: env.home,
    path: pathOf(env),
    appData: env.vars.APPDATA,
  });

const pathOf = ({ vars }: Env): string => vars.PATH ?? vars.Path ?? "";

function clientAt(env: Env, command: readonly string[]): FoundClient | undefined {
  const file = command.at(-1) as string;
  try {
    const { size, mtimeMs } = statSync(file);
    if (!statSync(file).isFile()) return undefined;
    const target = command.length > 1 ? command : commandOf(file, pathOf(env));
    return target && { command: target, identity: `${file} ${size} ${Math.round(mtimeMs)}` };
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // not there, or not for us
    throw error;
  }
}
