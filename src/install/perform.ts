import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Env } from "../env.ts";
import { asideOf, isAside } from "./aside.ts";
import { type Ran, runClient } from "./client.ts";
import { statOf } from "./found.ts";
import type { Step } from "./steps.ts";

/** A run of the client that came to nothing. */
export interface Refusal {
  command: string[];
  said: string;
}

/**
 * Does the steps in order. What the client refuses stops nothing: what it was asked after that is not asked, and all of
 * it is returned, to be typed by the person.
 */
export async function perform(env: Env, steps: readonly Step[]): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const step of steps) {
    if (step.do !== "run") doStep(step, env.pid);
    else if (refusals.length > 0) refusals.push({ command: step.command, said: "" });
    else {
      const ran = await runClient(env, step.command, step.cwd);
      if (ran.code !== 0) refusals.push({ command: step.command, said: lastLine(ran) });
    }
  }
  return refusals;
}

const lastLine = ({ stdout, stderr, code }: Ran): string =>
  (stderr.trim() || stdout.trim()).split("\n").at(-1) || `exit code ${code}`;

function doStep(step: Exclude<Step, { do: "run" }>, pid: number): void {
  switch (step.do) {
    case "place":
      return placeProgram(step.from, step.to, pid);
    case "mode":
      return chmodSync(step.path, step.mode);
    case "write":
      return put(step.path, pid, (draft) => writeFileSync(draft, step.text, { flag: "wx" }));
    case "link":
      return put(step.path, pid, (draft) => linkTo(step.target, draft));
    case "remove":
      return remove(step.path, pid);
    case "tidy":
      return removeEmpty(step.path);
  }
}

function placeProgram(from: string, to: string, pid: number): void {
  put(to, pid, (draft) => {
    linkOrCopy(from, draft);
    chmodSync(draft, 0o755);
  });
}

// Made beside its place and renamed: whoever starts the program or reads the file finds the old or the new one, whole.
function put(path: string, pid: number, make: (draft: string) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.throughline-${pid}.new`);
  rmSync(draft, { force: true });
  try {
    make(draft);
    replaceFile(draft, path, pid);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Renames `draft` to `path`; where the system holds on to what is there, as Windows does to a program that runs, that is moved aside. */
export function replaceFile(draft: string, path: string, pid: number, rename = renameSync): void {
  try {
    rename(draft, path);
  } catch (error) {
    if (!["EPERM", "EACCES", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    const aside = join(dirname(path), `.throughline-${pid}.old${path.endsWith(".exe") ? ".exe" : ""}`);
    rename(path, aside);
    rename(draft, path);
  }
}

function removeEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function remove(path: string, pid: number): void {
  removeTree(path, pid);
  if (statOf(path) && !isAside(path)) throw new Error(`${path} could not be removed: delete it by hand`);
}

// One by one: under Wine, Bun's own way to remove a folder fails with EFAULT.
function removeTree(path: string, pid: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) return removeFile(path, pid);
  for (const name of readdirSync(path)) removeTree(join(path, name), pid);
  rmdirSync(path);
}

// Windows does not delete a program that runs, under none of its names, but lets it be moved.
function removeFile(path: string, pid: number): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (process.platform !== "win32" || !path.endsWith(".exe")) throw error;
    if (!isAside(path)) renameSync(path, asideOf(path, pid));
  }
}

// A link to a file that others own or may write would put the program into their hands.
function linkOrCopy(from: string, to: string): void {
  const { uid, mode } = statSync(from);
  if (process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o022) === 0)) {
    try {
      return linkSync(from, to);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error; // another file system, or one without links
    }
  }
  copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
}

// Relative inside our own folder, so that it can be moved as a whole. A symbolic link, because what the client copies of a
// plugin leaves one out that leads elsewhere, and with it 100 MB. Windows asks for a right to make them.
function linkTo(target: string, path: string): void {
  if (process.platform === "win32") return linkOrCopy(target, path);
  const isOurs = path.startsWith(dirname(dirname(target)));
  symlinkSync(isOurs ? relative(dirname(path), target) : target, path);
}
