import { chmodSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../env.ts";
import { dataFolder } from "../paths.ts";
import { lockFile } from "../store/lock.ts";

const fileOf = (env: Env): string => join(dataFolder(env), "repair.lock");

/** A repair that fails, for want of room for instance, is not tried again at every event. */
const pause = 600_000;

/** Whether somebody set about a repair within the last ten minutes. */
export function isRepairTried(env: Env): boolean {
  const stats = statSync(fileOf(env), { throwIfNoEntry: false });
  return stats !== undefined && Math.abs(env.now() - stats.mtimeMs) < pause;
}

/** Takes the lock of those who put another store in the present one's place; `undefined` where somebody has it. */
export function takeLock(env: Env): Disposable | undefined {
  const lock = lockFile(fileOf(env));
  if (!lock) return undefined;
  chmodSync(fileOf(env), 0o600);
  utimesSync(fileOf(env), env.now() / 1_000, env.now() / 1_000);
  return lock;
}
