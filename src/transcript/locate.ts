import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a file can be called everywhere, without leaving its folder. */
const isName = /^[^\\/\0]{1,200}$/;

/**
 * A session's transcript by its name, in whichever folder below the client's projects folder it is: a worktree, or a
 * project that was moved. Of several the longest.
 */
export function locateTranscript(projects: string, sessionId: string): string | undefined {
  if (!isName.test(sessionId)) return undefined;
  const name = `${sessionId}.jsonl`;
  const found = foldersIn(projects).flatMap((folder) => sizeOf(join(projects, folder, name)));
  return found.sort((a, b) => b.size - a.size)[0]?.path;
}

const isAbsent = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "");

function foldersIn(projects: string): string[] {
  try {
    return readdirSync(projects);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function sizeOf(path: string): { path: string; size: number }[] {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? [{ path, size: stats.size }] : [];
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}
