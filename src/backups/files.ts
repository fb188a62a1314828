import type { Database } from "bun:sqlite";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Env } from "../env.ts";
import { databaseFile, dataFolder } from "../paths.ts";
import { copyInto } from "../store/upkeep.ts";

/** A backup that is there. */
export interface Backup {
  path: string;
  /** UTC milliseconds. */
  at: number;
  bytes: number;
}

export const backupFolder = (env: Env): string => join(dataFolder(env), "backups");

/** The program's own backups, the newest first. */
export function listBackups(env: Env): Backup[] {
  const folder = backupFolder(env);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^memory-\d{8}T\d{6}Z\.db$/.test(name))
    .sort()
    .toReversed()
    .map((name) => {
      const { mtimeMs, size } = statSync(join(folder, name));
      return { path: join(folder, name), at: Math.round(mtimeMs), bytes: size };
    });
}

/** A time as it stands in file names: `20261130T142305Z`. */
export const stamp = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");

/**
 * Writes the whole store as one file, beside whatever hooks do meanwhile; there is never half a one.
 * @throws where the disk has no room for it, or something else is in its place
 */
export function makeBackup(db: Database, env: Env, to = freeName(env)): string {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  if (existsSync(to)) throw new Error(`${to} is there already`);
  const needed = statSync(databaseFile(env)).size;
  const { bavail, bsize } = statfsSync(dirname(to));
  if (bavail * bsize < needed * 1.1)
    throw new Error(`there is no room for a backup of ${needed} bytes in ${dirname(to)}`);
  const draft = `${to}.${env.pid}.new`;
  rmSync(draft, { force: true });
  try {
    copyInto(db, draft);
    chmodSync(draft, 0o600);
    renameSync(draft, to);
  } finally {
    rmSync(draft, { force: true });
  }
  return to;
}

// Two within a second are two all the same.
function freeName(env: Env): string {
  for (let at = env.now(); ; at += 1_000) {
    const path = join(backupFolder(env), `memory-${stamp(at)}.db`);
    if (!existsSync(path)) return path;
  }
}

/** Deletes the oldest of the program's own backups beyond so many. */
export function rotate(env: Env, keep: number): void {
  for (const { path } of listBackups(env).slice(keep)) rmSync(path);
}

/**
 * Puts a store in the place of the present one, which is kept beside under a name of its own, with what belongs to it.
 * Hooks that come in between make a store of theirs: that is moved aside as well, as transcripts hold what is in it.
 * @returns where the present one is now, if there was one
 */
export function placeStore(env: Env, store: string, label: string): string | undefined {
  const file = databaseFile(env);
  let aside: string | undefined;
  for (let n = 0; ; n += 1) {
    const name = join(dataFolder(env), `${basename(file)}.${label}-${stamp(env.now())}${n === 0 ? "" : `-${n}`}`);
    if (existsSync(name)) continue;
    for (const end of ["", "-wal", "-shm", "-journal"]) {
      if (existsSync(file + end)) renameSync(file + end, name + end);
    }
    if (existsSync(name)) aside ??= name;
    try {
      linkSync(store, file);
      rmSync(store);
      return aside;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EEXIST") {
        if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
        renameSync(store, file);
        return aside;
      }
    }
  }
}
