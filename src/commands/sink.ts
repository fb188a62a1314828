import { appendFileSync, closeSync, openSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Env } from "../env.ts";
import { dataFolder } from "../paths.ts";
import { UsageError } from "./usage.ts";

/** Takes what a command prints as it comes. */
export type Write = (text: string) => void | Promise<void>;

/**
 * Runs `print` with a way to write: to stdout, or to a file that is there when all of it is, that its owner alone may read, and
 * that replaces no other one unless `force` says so.
 * @throws UsageError when the file cannot be that one
 */
export async function writeTo(
  env: Env,
  file: string | undefined,
  force: boolean,
  print: (write: Write) => Promise<void>,
): Promise<void> {
  if (file !== undefined) return writeFile(placeOf(env, file, force), print);
  const out = Bun.stdout.writer();
  await print(async (text) => {
    out.write(text);
    await out.flush();
  });
  await out.end();
}

async function writeFile(path: string, print: (write: Write) => Promise<void>): Promise<void> {
  const draft = `${path}.part`;
  const fd = openSync(draft, "wx", 0o600);
  try {
    await print((text) => appendFileSync(fd, text));
    renameSync(draft, path);
  } finally {
    closeSync(fd);
    rmSync(draft, { force: true });
  }
}

function placeOf(env: Env, file: string, force: boolean): string {
  const path = resolve(env.cwd, file);
  const folder = realFolder(dirname(path));
  if (folder === undefined || file === "") throw new UsageError(`there is no folder ${dirname(path)} to write to`);
  if (folder === realFolder(dataFolder(env)))
    throw new UsageError("what is stored lies in that folder: name another one");
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw new UsageError(`${path} is there and is no file`);
  if (there && !force) throw new UsageError(`${path} is there already: --force replaces it`);
  return join(folder, basename(path));
}

function realFolder(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? realpathSync.native(path) : undefined;
}
