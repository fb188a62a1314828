import { identifyProcess, processExists, startDetached } from "./processes.ts";

/** The world, handed in: everything outside the arguments that the program may look at. */
export interface Env {
  home: string;
  cwd: string;
  vars: Readonly<Record<string, string | undefined>>;
  pid: number;
  parentPid: number;
  /** UTC milliseconds. */
  now: () => number;
  /** Minutes east of UTC that hold whatever the machine's zone is; absent: the machine's zone. */
  zoneOffset?: number;
  /** A name for the running process that a later process with the same pid does not share, if it runs. */
  identify: (pid: number) => string | undefined;
  /** Whether the process still exists; a zombie does, though it runs no more. */
  exists: (pid: number) => boolean;
  /** Starts this program again, in a session of its own, and does not wait for it; the variables come on top of its own. */
  startAgain: (args: readonly string[], vars: Readonly<Record<string, string>>) => void;
}

// What node:os says first as well, and that module takes a hook 0.15 ms to load.
const homeFolder = (): string =>
  process.env[process.platform === "win32" ? "USERPROFILE" : "HOME"] || require("node:os").homedir();

/**
 * Takes what is relative off the PATH, for this process and all that it starts: what stands in wherever one is, is the
 * project's and not what the person means.
 */
export function dropRelativePath(): void {
  const { delimiter, isAbsolute } = require("node:path") as typeof import("node:path");
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH");
  if (name === undefined) return;
  const folders = (process.env[name] ?? "").split(delimiter).filter(isAbsolute);
  process.env[name] = folders.length > 0 ? folders.join(delimiter) : "/usr/bin:/bin";
}

/** The real world. The one reader of the environment, the clock and the home folder. */
export function processEnv(): Env {
  return {
    home: homeFolder(),
    cwd: process.cwd(),
    vars: process.env,
    pid: process.pid,
    parentPid: process.ppid,
    now: () => Date.now(),
    identify: identifyProcess,
    exists: processExists,
    startAgain: startDetached,
  };
}
