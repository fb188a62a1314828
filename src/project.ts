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
  const gitDir = /^gitdir: (.*)$/m.exec(readName(file))?.[1]?.trim();
  if (!gitDir) return undefined;
  const absolute = resolve(folder, gitDir);
  if (isShare(absolute) && !isShare(folder)) return undefined;
  try {
    return resolve(absolute, readName(join(absolute, "commondir")).trim());
  } catch (error) {
    if (!isMissing(error)) throw error;
    return absolute;
  }
}

// These files are a project's own, and hold one path: a pipe, a device or a huge file in their place is not read.
function readName(file: string): string {
  const stats = statSync(file);
  return stats.isFile() && stats.size <= longestName ? readFileSync(file, "utf8") : "";
}

// On Windows: to look there would log in on a machine of the project's choice.
const isShare = (path: string): boolean => process.platform === "win32" && /^[\\/]{2}/.test(path);

const longestName = 1 << 16;
const missing = ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"];

const isMissing = (error: unknown): boolean => missing.includes((error as NodeJS.ErrnoException).code ?? "");
