import { accessSync, constants, statSync } from "node:fs";
import type { Env } from "../env.ts";
import { placesOf } from "../summarize/places.ts";
import { commandOf } from "../summarize/shim.ts";

/** The client on this machine. */
export interface Client {
  path: string;
  /** `undefined` where it does not say one. */
  version: string | undefined;
}

/** What a run of the client came to. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** The first version whose hooks start a program without a shell. */
export const oldestClient = "2.1.139";

/** Whether that version can be worked with; one that says none is taken to be new. */
export const isOldClient = ({ version }: Client): boolean =>
  version !== undefined && Bun.semver.order(version, oldestClient) < 0;

/** The client that is named, else one on the PATH, else one in a place where it is usually installed. */
export async function findClient(env: Env, named: string | undefined): Promise<Client | undefined> {
  const { home, vars } = env;
  const path = pathOf(env);
  const places = named ? [named] : placesOf({ platform: process.platform, home, path, appData: vars.APPDATA });
  const found = places.find(isProgram);
  if (found === undefined) return undefined;
  const { stdout } = await runClient(env, [found, "--version"], env.cwd);
  return { path: found, version: /\d+\.\d+\.\d+/.exec(stdout)?.[0] };
}

const pathOf = ({ vars }: Env): string => vars.PATH ?? vars.Path ?? "";

/** Whether there is a file that this person may start. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** Runs the client, never by a shell, and waits for it; one that cannot be started counts as having refused. */
export async function runClient(env: Env, [program = "", ...args]: readonly string[], cwd: string): Promise<Ran> {
  try {
    const command = commandOf(program, pathOf(env));
    if (!command)
      return { code: 127, stdout: "", stderr: `${program} is not what npm writes: --claude names the program` };
    const child = Bun.spawn([...command, ...args], {
      cwd,
      env: { ...env.vars },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: 120_000,
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  } catch (error) {
    return { code: 127, stdout: "", stderr: (error as Error).message };
  }
}
