import { accessSync, constants, type Stats, statfsSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { checkFolder, ForeignError } from "../ownership.ts";
import { statOf } from "./found.ts";
import type { Places } from "./places.ts";
import type { Step } from "./steps.ts";

/**
 * Why the steps cannot all be done, asked before the first of them: a folder that cannot be written in, a disk that is
 * full. `undefined` where nothing is in the way.
 */
export function findBlock(steps: readonly Step[], places: Places): string | undefined {
  for (const folder of foldersOf(steps, places)) {
    const reason = ownReason(folder, places.root) ?? reasonAt(folder);
    if (reason !== undefined) return reason;
  }
  return steps.map(reasonOfSize).find((reason) => reason !== undefined);
}

// The data folder may be a link of the person's, but what is in it is ours: a link there would have us write elsewhere.
function ownReason(folder: string, root: string): string | undefined {
  if (folder !== root && !folder.startsWith(join(root, sep))) return undefined;
  for (let at = folder; at !== root; at = dirname(at)) {
    if (statOf(at)?.isSymbolicLink()) return `${at} is a link and is not followed (remove it)`;
  }
  try {
    checkFolder(root);
    return undefined;
  } catch (error) {
    if (error instanceof ForeignError) return error.message;
    throw error;
  }
}

function foldersOf(steps: readonly Step[], { client }: Places): Set<string> {
  return new Set(
    steps.flatMap((step) => {
      if (step.do !== "run") return dirname(step.do === "place" ? step.to : step.path);
      return step.command.includes("--scope") ? [client, join(step.cwd, ".claude")] : [client];
    }),
  );
}

function reasonAt(folder: string): string | undefined {
  const [at, stat] = nearest(folder);
  if (!stat.isDirectory()) return `${at} is in the way: it is no folder`;
  try {
    accessSync(at, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return `${at} cannot be written to (${code === "EROFS" ? "read-only file system" : "no permission"})`;
  }
}

// The folder, or what there is of it; a link counts as what it leads to.
function nearest(path: string): [string, Stats] {
  for (let at = path; ; at = dirname(at)) {
    if (statOf(at) || at === dirname(at)) return [at, statSync(at)];
  }
}

// Only a copy takes room, but whether it will be a copy shows when the link is tried.
function reasonOfSize(step: Step): string | undefined {
  if (step.do !== "place") return undefined;
  const [folder] = nearest(dirname(step.to));
  const needed = statSync(step.from).size;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= needed) return undefined;
  return `${folder} has ${megabytes(bavail * bsize)} left, ${megabytes(needed)} are needed`;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
