import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** Where a program is moved that Windows does not delete, because it runs. */
export const asideOf = (path: string, pid: number): string =>
  join(tmpdir(), `throughline-removed-${pid}-${basename(dirname(dirname(path)))}.exe`);

/** Whether it was moved there. One that still runs, under this or another of its names, waits for the next occasion. */
export const isAside = (path: string): boolean => /^throughline-removed-\d+-.*\.exe$/.test(basename(path));

/** The programs that were moved there and may be deleted by now. */
export const listAside = (folder = tmpdir()): string[] =>
  readdirSync(folder)
    .filter(isAside)
    .map((name) => join(folder, name));
