import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../env.ts";
import { dataFolder } from "../paths.ts";

const lockFile = (env: Env): string => join(dataFolder(env), "repair.lock");

/** Whether a process is repairing the store. */
export function isRepairing(env: Env): boolean {
  if (!existsSync(lockFile(env))) return false;
  const pid = Number(readFileSync(lockFile(env), "utf8"));
  return Number.isInteger(pid) && pid > 0 && env.exists(pid);
}

/** Takes the lock of the repair: of several at once one succeeds. One whose process is gone is nobody's. */
export function takeLock(env: Env): boolean {
  if (isRepairing(env)) return false;
  rmSync(lockFile(env), { force: true });
  try {
    const fd = openSync(lockFile(env), "wx", 0o600);
    writeSync(fd, `${env.pid}`);
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

export const dropLock = (env: Env): void => rmSync(lockFile(env), { force: true });
