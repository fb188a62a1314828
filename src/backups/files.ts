import type { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Env } from "../env.ts";
import { databaseFile, dataFolder } from "../paths.ts";
import { readyFor, takeReady } from "../store/open.ts";
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
  checkRoom(dirname(to), statSync(databaseFile(env)).size);
  const draft = `${to}.${env.pid}.new`;
  try {
    copyPrivately(db, draft);
    renameSync(draft, to);
  } finally {
    dropDraft(draft);
  }
  return to;
}

/**
 * Makes a store beside the present one, as a draft that is gone afterwards. Only for who has the lock: what an earlier one
 * left that was killed is removed.
 */
export async function withDraft<T>(env: Env, use: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${databaseFile(env)}.draft`;
  dropDraft(draft);
  try {
    return await use(draft);
  } finally {
    dropDraft(draft);
  }
}

/** Copies a store into a file that nobody else can read from its first byte on. */
export function copyPrivately(db: Database, to: string): void {
  dropDraft(to);
  writeFileSync(to, "", { mode: 0o600, flag: "wx" });
  copyInto(db, to);
}

// With what SQLite kept beside it, and what a store is made of.
function dropDraft(draft: string): void {
  if (!existsSync(dirname(draft))) return;
  for (const name of readdirSync(dirname(draft))) {
    if (name.startsWith(basename(draft))) rmSync(join(dirname(draft), name), { force: true });
  }
}

/** The file itself and what SQLite keeps beside it. */
const companions = ["", "-wal", "-shm", "-journal"];

/** @throws where the disk has no room for so many bytes, and a tenth more */
export function checkRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes * 1.1)
    throw new Error(`there is no room in ${folder}: ${Math.ceil((bytes * 1.1) / 1e6)} MB are needed`);
}

// Two within a second are two all the same.
function freeName(env: Env): string {
  for (let at = env.now(); ; at += 1_000) {
    const path = join(backupFolder(env), `memory-${stamp(at)}.db`);
    if (!existsSync(path)) return path;
  }
}

/** Deletes the oldest of the program's own backups beyond so many, and what one left that was killed. */
export function rotate(env: Env, keep: number): void {
  for (const { path } of listBackups(env).slice(keep)) rmSync(path);
  for (const name of readdirSync(backupFolder(env))) {
    const pid = /^memory-.*\.(\d+)\.new(?:-[a-z]+)?$/.exec(name)?.[1];
    if (pid !== undefined && !env.exists(Number(pid))) rmSync(join(backupFolder(env), name), { force: true });
  }
}

/**
 * Puts a store in the place of the present one, which is kept beside under a name of its own, with what belongs to it.
 * Killed in between, or asked meanwhile, `openStore` puts it there.
 * @returns where the present one is now, if there was one
 */
export function placeStore(env: Env, store: string, label: string): string | undefined {
  const file = databaseFile(env);
  const ready = readyFor(file);
  renameSync(store, ready);
  const aside = freePath((n) => `${file}.${label}-${stamp(env.now())}${n === 0 ? "" : `-${n}`}`);
  // What belongs to it goes first and last: beside another store SQLite would take it for that one's.
  moveAside(file, aside, companions.slice(1));
  moveAside(file, aside, [""]);
  moveAside(
    file,
    freePath((n) => `${aside}-late-${n}`),
    companions.slice(1),
  );
  takeReady(file);
  rmSync(ready, { force: true });
  return existsSync(aside) ? aside : undefined;
}

function moveAside(file: string, aside: string, ends: readonly string[]): void {
  for (const end of ends) if (existsSync(file + end)) renameSync(file + end, aside + end);
}

function freePath(name: (n: number) => string): string {
  for (let n = 0; ; n += 1) {
    const path = name(n);
    if (!companions.some((end) => existsSync(path + end))) return path;
  }
}
