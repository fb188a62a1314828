import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TempHome } from "../support/home.ts";
import { binary, type Ran } from "../support/ran.ts";
import { runProgram } from "./program.ts";

/** Why system calls cannot be watched here; `undefined` where they can. */
export const cannotTrace: string | undefined = !Bun.which("strace")
  ? "there is no strace"
  : Bun.spawnSync(["strace", "-f", "-o", "/dev/null", "true"]).exitCode !== 0
    ? "strace may not trace"
    : undefined;

/** Why there is no network namespace to be had here; `undefined` where there is. */
export const cannotIsolate: string | undefined = !Bun.which("unshare")
  ? "there is no unshare"
  : Bun.spawnSync(["unshare", "-Urn", "true"]).exitCode !== 0
    ? "no namespace may be made"
    : undefined;

/** What a run asked of the system about sockets, files and programs, one call a line. */
export interface Traced extends Ran {
  calls: string[];
}

let runs = 0;

/** Runs the built program and all that it starts under strace, with no network around it where that can be had, unless it is wanted. */
export async function runTraced(
  home: TempHome,
  args: readonly string[],
  options: { stdin?: string; cwd?: string; vars?: Record<string, string>; withNetwork?: boolean } = {},
): Promise<Traced> {
  const log = join(home.folder, `trace-${++runs}`);
  const apart = cannotIsolate === undefined && !options.withNetwork ? ["unshare", "-Urn"] : [];
  const strace = ["strace", "-f", "-qq", "-s", "4096", "-e", "trace=network,file", "-o", log];
  const command = [...apart, ...strace, binary];
  const ran = await runProgram(home, args, { ...options, command });
  const calls = readFileSync(log, "utf8").split("\n");
  // The first one starts the program itself.
  return { ...ran, calls: calls.slice(1) };
}
