import {
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openPromise as openZip } from "yauzl";
import type { Env } from "../env.ts";
import { ImportError } from "./plan.ts";

/**
 * Unpacks an archive's transcripts below `into`, in a folder that only its owner can read; once unpacked it stays until
 * the import is done, so that an import that was interrupted goes on where it was.
 * @returns the folder
 * @throws ImportError when it cannot be unpacked
 */
export async function unpackArchive(
  path: string,
  kind: "zip" | "tar",
  into: string,
  vars: Env["vars"],
): Promise<string> {
  refuseLink(into);
  const { size, mtimeMs, ino } = statSync(path);
  const folder = join(into, Bun.hash(`${path}\0${size}\0${mtimeMs}\0${ino}`).toString(36));
  const done = join(folder, ".unpacked");
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    await (kind === "zip" ? unzip(path, folder) : untar(path, folder, vars));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new ImportError(`${path} cannot be unpacked: ${(error as Error).message}`);
  }
  writeFileSync(done, "");
  return folder;
}

/** Removes unpacked archives, and the folder around them where nothing else is in there. */
export function dropUnpacked(folders: readonly string[]): void {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
    if (readdirSync(dirname(folder)).length === 0) rmdirSync(dirname(folder));
  }
}

/** Removes what imports left behind that were ended before `since` (UTC milliseconds) and not gone on with. */
export function dropAbandoned(into: string, since: number): void {
  if (!existsSync(into)) return;
  refuseLink(into);
  const folders = readdirSync(into).map((name) => join(into, name));
  dropUnpacked(folders.filter((folder) => statSync(folder).mtimeMs < since));
}

// What is in there is deleted.
function refuseLink(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new ImportError(`${folder} is a link and is not followed: remove it`);
}

// The system's tar streams, knows every compression, refuses to write outside its folder, and is on Linux, macOS and
// Windows 10 and newer. Owners by their numbers: for their names it may ask a service.
async function untar(path: string, folder: string, vars: Env["vars"]): Promise<void> {
  // With variables of its own: without, Bun looks for it on the PATH that this process was started with, the current folder
  // among it.
  const child = Bun.spawn(["tar", "--no-same-owner", "--numeric-owner", "-xf", path, "-C", folder], {
    env: { ...vars },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const words = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(words.trim().split("\n")[0] || "tar failed");
}

// GNU tar reads no zip, hence the library: it reads from the central directory on, streams, and checks sums and names.
async function unzip(path: string, folder: string): Promise<void> {
  const zip = await openZip(path, { lazyEntries: true });
  let n = 0;
  for await (const entry of zip.eachEntry()) {
    if (!/\.jsonl$/i.test(entry.fileName)) continue;
    // Names are kept where they tell something; a number keeps two projects' files apart.
    const parent = basename(dirname(entry.fileName)).replace(/[^\w.-]/g, "_");
    const file = join(folder, `${n++}-${parent}`, basename(entry.fileName));
    mkdirSync(dirname(file), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file));
  }
}
