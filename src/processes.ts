import { readFileSync } from "node:fs";

/**
 * A name for a running process, `pid:` and then boot and start time, so that a reused pid is another process.
 * `undefined` when no such process runs. On Windows the pid alone.
 */
export function identifyProcess(pid: number): string | undefined {
  if (!processExists(pid)) return undefined;
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
    return `${pid}:${boot}:${fields[19]}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The pid in a process's name. */
export const pidOf = (name: string): number => Number.parseInt(name, 10);
