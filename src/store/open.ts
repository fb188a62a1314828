import { constants, Database } from "bun:sqlite";
import { chmodSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { checkFile, checkFolder } from "../ownership.ts";
import { loadTombstones } from "./forgotten.ts";
import { migrate } from "./migrate.ts";

/**
 * Opens the store for reading and writing, makes it where there is none, and brings an older schema up to date.
 * @throws when the file is no database, cannot be opened, or was written by a newer version; a ForeignError when it is not the
 * person's own.
 */
export function openStore(file: string): Database {
  const size = file === ":memory:" ? 1 : sizeOfStore(file);
  if (size === undefined) createStore(file);
  if (size === 0) throw emptied(file);
  if (file === ":memory:") return prepare(new Database(file, { strict: true }));
  const db = open(file);
  if (!hasMoved(db)) return db;
  // Another store was put in its place just now, as after a repair: its WAL would be taken for this one's.
  db.close();
  return open(file);
}

const open = (file: string): Database => prepare(new Database(file, { readwrite: true, create: false, strict: true }));

// One stat(2).
function hasMoved(db: Database): boolean {
  const moved = new Int32Array(2); // as bun:sqlite takes no less
  db.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, moved);
  return moved[0] === 1;
}

// SQLite takes it for a new one. A store is never made in its place, so this one was emptied.
const emptied = (file: string): Error => Object.assign(new Error(`${file} is empty`), { code: "SQLITE_NOTADB" });

/**
 * The size of the store in bytes; `undefined` where there is none.
 * @throws ForeignError where it, or the folder it is in, is not the person's own
 */
export function sizeOfStore(file: string): number | undefined {
  checkFolder(dirname(file));
  return checkFile(file);
}

/** Opens an existing store without the right to change it; `undefined` where there is none. */
export function openStoreReadonly(file: string): Database | undefined {
  const size = sizeOfStore(file);
  if (size === undefined) return undefined;
  if (size === 0) throw emptied(file);
  try {
    return openToRead(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "SQLITE_CANTOPEN") return openUnchanging(file);
    if (code !== "SQLITE_READONLY_ROLLBACK") throw error;
    rollBack(file);
    return openToRead(file);
  }
}

function openToRead(file: string): Database {
  const db = new Database(file, { readonly: true, strict: true });
  try {
    db.run("pragma busy_timeout = 5000");
    db.query("select 1 from sqlite_master limit 1").get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Takes back what was half written when a process was killed, where the store has a rollback journal. */
export function rollBack(file: string): void {
  using db = openAnySchema(file);
  db.query("select 1 from sqlite_master limit 1").get();
}

/** Opens a store for reading and writing, whatever its schema. */
export function openAnySchema(file: string): Database {
  const db = new Database(file, { readwrite: true, create: false });
  db.run("pragma busy_timeout = 5000");
  return db;
}

// In a folder that cannot be written to, as in a sandbox, SQLite has nowhere to keep the WAL's index. Nobody else can write
// there either.
function openUnchanging(file: string): Database {
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Database(`${Bun.pathToFileURL(file)}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

// wal_autocheckpoint: hooks leave their WAL behind, and who opens the database next reads it from the beginning, so it is
// kept to 200 pages. journal_size_limit: a WAL that one large import blew up shrinks again at the next checkpoint.
function prepare(db: Database): Database {
  try {
    db.run(
      "pragma busy_timeout = 5000; pragma synchronous = normal; pragma foreign_keys = on; pragma wal_autocheckpoint = 200; pragma journal_size_limit = 819200",
    );
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Lets the WAL grow to 16 MB: for a long reading, which would otherwise wait for the disk, twice, after every megabyte
 * that it stores.
 */
export const expectMuch = (db: Database): void => {
  db.run("pragma wal_autocheckpoint = 4000");
};

// Made beside its place, already in WAL and migrated, then linked in: of many first hooks one wins and none collides.
// (Switching a shared fresh file to WAL fails with SQLITE_BUSY in spite of any timeout.)
function createStore(file: string): void {
  if (takeReady(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}.new`;
  rmSync(draft, { force: true });
  const db = new Database(draft, { create: true, strict: true });
  chmodSync(draft, 0o600);
  db.run("pragma journal_mode = wal");
  prepare(db);
  loadTombstones(db, file);
  db.close();
  try {
    linkOrRename(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Where a store waits, whole, until the present one is out of its way. */
export const readyFor = (file: string): string => `${file}.ready`;

/** Puts the store that waits in its place; whether there is one. */
export function takeReady(file: string): boolean {
  if (!existsSync(readyFor(file))) return false;
  linkOrRename(readyFor(file), file);
  return true;
}

// Whoever comes second leaves what is there.
function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS") renameSync(from, to);
    else if (code !== "EEXIST") throw error;
  }
}
