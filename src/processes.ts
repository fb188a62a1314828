import { readFileSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";

/**
 * A name for a running process, `pid:` and then boot and start time, so that a reused pid is another process.
 * `undefined` when no such process runs; a zombie does not. On Windows the pid alone.
 */
export function identifyProcess(pid: number): string | undefined {
  if (pid <= 0 || !processExists(pid)) return undefined; // Windows tells 0 for a parent that it does not know
  if (process.platform === "linux") return identifyOnLinux(pid);
  if (process.platform === "win32") return `${pid}:`;
  const ps = Bun.spawnSync(["/bin/ps", "-o", "lstart=", "-p", `${pid}`]);
  const startedAt = ps.stdout.toString().trim();
  return startedAt ? `${pid}:${startedAt}` : undefined;
}

/** Whether the process exists: signal 0 reaches it, or it belongs to somebody else. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// proc(5): field 22 of stat is the start time in clock ticks since boot; field 2 is the name in parentheses and may
// hold anything, so the fields are counted from the last parenthesis.
function identifyOnLinux(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : `${pid}:${boot}:${fields[19]}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The pid in a process's name. */
export const pidOf = (name: string): number => Number.parseInt(name, 10);

/** The program that a process runs, and its first argument: an interpreter's script. Nothing where that cannot be seen. */
export function programOf(pid: number): string[] {
  if (!Number.isInteger(pid) || pid <= 0) return [];
  try {
    if (process.platform === "linux") {
      const [, script] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return [readlinkSync(`/proc/${pid}/exe`), ...(script ? [script] : [])];
    }
    if (process.platform !== "darwin") return [];
    const ps = Bun.spawnSync(["/bin/ps", "-o", "comm=", "-p", `${pid}`]);
    return [ps.stdout.toString().trim()].filter((path) => path !== "");
  } catch (error) {
    if (error instanceof Error && "code" in error) return []; // it is gone, or somebody else's
    throw error;
  }
}

/**
 * Starts this program again in a session of its own, with nothing of ours open in it, and does not wait for it: it outlives
 * whoever started us, and nobody has to reap it.
 */
export function startDetached(args: readonly string[], vars: Readonly<Record<string, string>>): void {
  Bun.spawn([process.execPath, ...args], {
    detached: true,
    stdio: ["ignore", "ignore", "ignore"],
    windowsHide: true,
    cwd: dirname(process.execPath),
    env: { ...process.env, ...vars },
  }).unref();
}

/** Lets every other process go first: for work that nobody waits for, beside hooks that somebody may. */
export function yieldToOthers(): void {
  const os: typeof import("node:os") = require("node:os"); // hooks load this file, and that module takes them 0.1 ms
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
}
