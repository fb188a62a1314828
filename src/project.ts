import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The project's identity: the real absolute path, NFC, so that a link, a trailing slash and a composed or decomposed é
 * are one project. A folder that is gone keeps the path it was called by.
 */
export function projectPath(folder: string): string {
  const absolute = resolve(folder);
  try {
    return realpathSync.native(absolute).normalize("NFC");
  } catch (error) {
    if (!isMissing(error)) throw error;
    return absolute.normalize("NFC");
  }
}

/** The git common dir of a folder, shared by a repository's worktrees; `undefined` outside a repository. */
export function gitCommonDir(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, ".git");
    try {
      return statSync(git).isDirectory() ? git : commonDirOfWorktree(at, git);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    if (dirname(at) === at) return undefined;
  }
}

// gitrepository-layout(5): a worktree's `.git` is a file that names its git dir, whose `commondir` names the common one.
function commonDirOfWorktree(folder: string, file: string): string | undefined {
  const gitDir = /^gitdir: (.*)$/m.exec(readFileSync(file, "utf8"))?.[1]?.trim();
  if (!gitDir) return undefined;
  const absolute = resolve(folder, gitDir);
  try {
    return resolve(absolute, readFileSync(join(absolute, "commondir"), "utf8").trim());
  } catch (error) {
    if (!isMissing(error)) throw error;
    return absolute;
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR" || code === "EACCES";
}
