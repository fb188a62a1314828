import { mkdirSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import type { Home } from "./home.ts";
import { root } from "./repo.ts";

const platform = "linux-x64";
const folder = join(root, "dist/archive");
const archive = join(folder, `throughline-${platform}.tar.gz`);

/** Builds the archive that a person on this platform downloads. */
export function buildArchive(): void {
  run([process.execPath, join(root, "scripts/release.ts"), "--target", platform, "--out", folder], root);
}

/** Unpacks the archive in the home, as a person does who downloaded it; returns the program. */
export function unpackArchive(home: Home): string {
  const downloads = join(home.folder, "tmp/downloads");
  mkdirSync(downloads);
  run(["tar", "-xzf", archive, "-C", downloads], downloads);
  return join(downloads, `throughline-${manifest.version}-${platform}`, "throughline");
}

function run(command: string[], cwd: string): void {
  const { success, stderr } = Bun.spawnSync(command, {
    cwd,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: process.env.HOME },
  });
  if (!success) throw new Error(`${command.join(" ")}: ${stderr}`);
}

/** What a program run for that person said, and how it ended. */
export interface Said {
  stdout: string;
  stderr: string;
  code: number;
}

/** Runs a program in the project with the person's environment; unlike the harness's own, it may fail. */
export async function runFor(home: Home, command: string[], extra: Record<string, string> = {}): Promise<Said> {
  const child = Bun.spawn(command, {
    cwd: home.project,
    env: { ...home.environment, ...extra },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, code };
}
