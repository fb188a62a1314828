import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "./home.ts";
import { builds } from "./repo.ts";

/** Installs the plugin in that home the way a person does, from the marketplace at `root`. */
export async function installPlugin(home: Home, client: string, root = builds.plugin): Promise<void> {
  await run(home, [client, "plugin", "marketplace", "add", root]);
  await run(home, [client, "plugin", "install", "throughline@throughline"]);
}

/**
 * Runs the built program in the project, as the person would in a shell or the client as a hook; returns what it printed.
 * `extra` is what the client adds to the environment.
 */
export async function runThroughline(
  home: Home,
  args: string[],
  input: object = {},
  extra: Record<string, string> = {},
): Promise<string> {
  return run(home, [join(builds.plugin, "dist/plugin/bin/throughline"), ...args], JSON.stringify(input), extra);
}

/** Runs the client itself without a terminal, as `claude -p`, to its end; returns what it printed. */
export const runClient = (home: Home, command: string[]): Promise<string> => run(home, command);

async function run(home: Home, command: string[], input = "", extra: Record<string, string> = {}): Promise<string> {
  if (!existsSync(command[0] ?? "")) throw new Error(`${command[0]} is not there: build first`);
  const child = Bun.spawn(command, {
    cwd: home.project,
    env: { ...home.environment, ...extra },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed: ${output}${complaint}`);
  return output;
}
