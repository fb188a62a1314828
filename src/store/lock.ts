import { Database } from "bun:sqlite";

/**
 * Takes a lock that the system gives back however its process ends: SQLite's own, on a file that stays empty. Held until
 * it is closed; `undefined` where somebody has it.
 */
export function lockFile(file: string): Disposable | undefined {
  const db = new Database(file, { create: true });
  try {
    db.run("begin exclusive");
    return db;
  } catch (error) {
    db.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
    throw error;
  }
}
