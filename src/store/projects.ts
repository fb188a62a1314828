import type { Database } from "bun:sqlite";

/** The project's row id; the row is made at first sight. `path` is the real absolute path, NFC. */
export function saveProject(db: Database, path: string, gitCommonDir: () => string | undefined, at: number): number {
  const found = findProject(db, path);
  if (found !== undefined) return found;
  db.query("insert or ignore into projects (path, git_common_dir, created_at) values ($path, $dir, $at)").run({
    path,
    dir: gitCommonDir() ?? null,
    at,
  });
  return findProject(db, path) as number;
}

/** The row id of the project at `path`. */
export const findProject = (db: Database, path: string): number | undefined =>
  db.query<{ id: number }, [string]>("select id from projects where path = ?").get(path)?.id;

/** The row ids of the projects that are worktrees of one repository with this one, itself among them. */
export const worktreesOf = (db: Database, id: number): number[] =>
  db
    .query<{ id: number }, [number]>(
      `select other.id from projects own join projects other
         on other.id = own.id or other.git_common_dir = own.git_common_dir where own.id = ?`,
    )
    .all(id)
    .map((row) => row.id);

/** The path of the project with the row id. */
export const projectPathOf = (db: Database, id: number): string =>
  (db.query<{ path: string }, [number]>("select path from projects where id = ?").get(id) as { path: string }).path;
