import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "./repo.ts";

/**
 * Installs one version of a package of the npm registry once, in a folder of its own; safe when several processes ask at once.
 * For what is too large to be installed with every checkout.
 * @param kind the folder in the cache that its versions are in
 * @param prepare makes what is to be there beside the package, before anybody sees it
 * @returns the folder; the package is in its `node_modules`
 */
export async function installPackage(
  kind: string,
  name: string,
  version: string,
  prepare: (folder: string) => void | Promise<void> = () => undefined,
): Promise<string> {
  const place = join(cache, kind, version);
  if (existsSync(place)) return place;
  mkdirSync(join(cache, kind), { recursive: true });
  const draft = mkdtempSync(join(cache, kind, `.${version}-`));
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    const install = Bun.spawn([process.execPath, "add", "--exact", `${name}@${version}`], {
      cwd: draft,
      stdout: "ignore",
      stderr: "pipe",
    });
    const complaint = await install.stderr.text();
    if ((await install.exited) !== 0) throw new Error(`cannot install ${name} ${version}: ${complaint}`);
    await prepare(draft);
    renameUnlessThere(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return place;
}

function renameUnlessThere(draft: string, place: string): void {
  try {
    renameSync(draft, place);
  } catch (error) {
    // Another process was faster, and its copy is as good.
    if (!existsSync(place)) throw error;
  }
}
