import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "./repo.ts";

/** The client's versions that the tests drive: today's, and one whose hooks are told less. */
export const versions = { current: "2.1.332", older: "2.1.197" };

const name = "@anthropic-ai/claude-code-linux-x64";

/** Why the client cannot be driven on this machine, or undefined where it can. */
export const unsupported =
  process.platform === "linux" && process.arch === "x64"
    ? undefined
    : `the client's test package is for linux-x64, this is ${process.platform}-${process.arch}`;

/** Installs that version of the client once and returns its binary; safe when several processes ask at once. */
export async function installClient(version: string): Promise<string> {
  const place = join(cache, "clients", version);
  const binary = join(place, "node_modules", name, "claude");
  if (existsSync(binary)) return binary;
  mkdirSync(join(cache, "clients"), { recursive: true });
  const draft = mkdtempSync(join(cache, "clients", `.${version}-`));
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    const install = Bun.spawn([process.execPath, "add", "--exact", `${name}@${version}`], {
      cwd: draft,
      stdout: "ignore",
      stderr: "pipe",
    });
    const complaint = await install.stderr.text();
    if ((await install.exited) !== 0) throw new Error(`cannot install the client ${version}: ${complaint}`);
    renameUnlessThere(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return binary;
}

function renameUnlessThere(draft: string, place: string): void {
  try {
    renameSync(draft, place);
  } catch (error) {
    // Another process was faster, and its copy is as good.
    if (!existsSync(place)) throw error;
  }
}
