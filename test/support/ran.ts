import { join } from "node:path";
import type { TempHome } from "./home.ts";

export const binary = join(import.meta.dir, "../../dist/throughline");

/** All that the built program finds in its environment. */
export const varsOf = (home: TempHome): Record<string, string> => ({
  HOME: home.folder,
  PATH: "/usr/bin:/bin",
  TZ: "UTC",
});

/** How a run of the built program ended. */
export interface Ran {
  stdout: string;
  stderr: string;
  code: number;
}

/** Runs the built program in the project's folder, as the session whose Bash tool it is, or as nobody's. */
export async function runIn(home: TempHome, session: string | undefined, ...args: string[]): Promise<Ran> {
  const child = Bun.spawn([binary, ...args], {
    cwd: home.project,
    env: { ...varsOf(home), ...(session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session }) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
}
