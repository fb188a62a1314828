import { existsSync, readFileSync } from "node:fs";
import { dirname, win32 } from "node:path";

/**
 * What npm's `claude.cmd` starts, so that no shell has to read it: the program itself, or node with the script.
 * @param text the file's content; `folder` where it lies
 * @returns `undefined` where it is not of the form that npm writes
 */
export function targetOfShim(text: string, folder: string): string[] | undefined {
  const target = /"(?:%~?dp0%?|%dp0%)\\?([^"%]+\.(?:exe|c?js|mjs))"\s+%\*/i.exec(text)?.[1];
  if (target === undefined || target.includes("..\\..\\..\\..")) return undefined;
  const file = win32.join(folder, target);
  return /\.exe$/i.test(file) ? [file] : ["node", file];
}

/** Where the shim's node may be: beside it, then on the PATH, never in the folder one happens to be in. */
export const nodePlaces = (folder: string, path: string): string[] =>
  [folder, ...path.split(win32.delimiter)]
    .filter((place) => win32.isAbsolute(place))
    .map((place) => win32.join(place, "node.exe"));

/**
 * The command of a program's file, whatever it is: of npm's shims what they start, else the file itself.
 * @param path `PATH` as the environment has it
 * @returns `undefined` for a shim that cannot be started without a shell
 */
export function commandOf(file: string, path: string): string[] | undefined {
  if (!/\.(?:cmd|bat)$/i.test(file)) return [file];
  const folder = dirname(file);
  const target = targetOfShim(readFileSync(file, "utf8"), folder);
  if (target?.[0] !== "node") return target;
  const node = nodePlaces(folder, path).find((place) => existsSync(place));
  return node === undefined ? undefined : [node, ...target.slice(1)];
}
