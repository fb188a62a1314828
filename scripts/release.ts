// Builds what is released, for every platform on one machine: archives with licence and README, and SHA256SUMS.
//   bun run release [--target NAME …]   all of it, or only these platforms
//   bun run release --programs          the programs alone, into dist/release/programs, to be signed on their platform
//   bun run release --pack              the archives of the programs that are there
//   bun run release --check             all of it twice; fails where the sums differ
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { type Item, tarGz, zip } from "./archive.ts";
import { compile } from "./build.ts";

const root = join(import.meta.dir, "..");

/** The platforms by name, as install.sh and install.ps1 know them. */
export const targets: Readonly<Record<string, Bun.Build.CompileTarget>> = {
  "linux-x64": "bun-linux-x64-baseline",
  "linux-x64-modern": "bun-linux-x64-modern",
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64": "bun-linux-arm64",
  "darwin-arm64": "bun-darwin-arm64",
  "darwin-x64": "bun-darwin-x64",
  "windows-x64": "bun-windows-x64",
};

const programOf = (name: string): string => (name.startsWith("windows") ? "throughline.exe" : "throughline");

async function buildPrograms(folder: string, names: readonly string[]): Promise<void> {
  const define = { THROUGHLINE_VERSION: JSON.stringify(manifest.version), THROUGHLINE_FAULTS: "false" };
  for (const name of names) {
    const outfile = join(folder, "programs", name, programOf(name));
    await rm(outfile, { force: true });
    await compile(join(root, "src/main.ts"), outfile, define, targets[name]);
  }
}

/** Packs the programs that are there; returns the archives' names. */
async function pack(folder: string): Promise<string[]> {
  const archives: string[] = [];
  for (const name of (await readdir(join(folder, "programs"))).sort()) {
    const program = await Bun.file(join(folder, "programs", name, programOf(name))).bytes();
    if (name === "linux-x64-modern" && (await isSameAs(folder, "linux-x64", program))) {
      await Bun.write(Bun.stdout, "linux-x64-modern is linux-x64 to the byte: one archive for both\n");
      continue;
    }
    const isZip = name.startsWith("windows");
    const archive = `throughline-${name}.${isZip ? "zip" : "tar.gz"}`;
    const items = await itemsOf(`throughline-${manifest.version}-${name}`, programOf(name), program);
    const bytes = isZip ? zip(items) : tarGz(items);
    await Bun.write(join(folder, archive), bytes);
    const sizes = [bytes.length, program.length].map((size) => `${(size / 1e6).toFixed(1)} MB`.padStart(9));
    await Bun.write(Bun.stdout, `${archive.padEnd(36)}${sizes[0]}, the program ${sizes[1]}\n`);
    archives.push(archive);
  }
  return archives;
}

async function isSameAs(folder: string, name: string, program: Uint8Array): Promise<boolean> {
  const other = Bun.file(join(folder, "programs", name, programOf(name)));
  return (await other.exists()) && sumOf(await other.bytes()) === sumOf(program);
}

async function itemsOf(folder: string, name: string, program: Uint8Array): Promise<Item[]> {
  const texts = ["LICENSE", "README.md", "README.ja.md"].map(async (file) => ({
    name: `${folder}/${file}`,
    data: await Bun.file(join(root, file)).bytes(),
    isProgram: false,
  }));
  return [...(await Promise.all(texts)), { name: `${folder}/${name}`, data: program, isProgram: true }];
}

const sumOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

async function writeSums(folder: string, archives: readonly string[]): Promise<string> {
  const lines = archives.map(async (name) => `${sumOf(await Bun.file(join(folder, name)).bytes())}  ${name}\n`);
  const sums = (await Promise.all(lines)).join("");
  await Bun.write(join(folder, "SHA256SUMS"), sums);
  await writeInstallers(folder);
  return sums;
}

// The scripts know where releases are from the repository that the release is made in.
async function writeInstallers(folder: string): Promise<void> {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  const releases = GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/releases` : "";
  for (const name of ["install.sh", "install.ps1"]) {
    const text = await Bun.file(join(root, "scripts", name)).text();
    await Bun.write(join(folder, name), text.replaceAll("@RELEASES@", releases));
  }
}

/** Builds the archives of those platforms in a folder; returns the text of SHA256SUMS. */
export async function release(folder: string, names: readonly string[]): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "programs"), { recursive: true });
  await buildPrograms(folder, names);
  return writeSums(folder, await pack(folder));
}

async function check(folder: string, names: readonly string[]): Promise<void> {
  const again = `${folder}-again`;
  const [first, second] = [await release(folder, names), await release(again, names)];
  await rm(again, { recursive: true });
  if (first !== second) throw new Error(`two builds differ:\n${first}---\n${second}`);
  await Bun.write(Bun.stdout, "two builds, the same sums\n");
}

if (import.meta.main) {
  const options = {
    target: { type: "string", multiple: true },
    programs: { type: "boolean" },
    pack: { type: "boolean" },
    check: { type: "boolean" },
    out: { type: "string" },
  } as const;
  const { values } = parseArgs({ options });
  const folder = values.out ?? join(root, "dist/release");
  const names = values.target ?? Object.keys(targets);
  const unknown = names.find((name) => !Object.hasOwn(targets, name));
  if (unknown !== undefined) throw new Error(`no platform ${unknown}; there are: ${Object.keys(targets).join(", ")}`);
  if (values.check) await check(folder, names);
  else if (values.programs) await buildPrograms(folder, names);
  else if (values.pack) await writeSums(folder, await pack(folder));
  else await release(folder, names);
}
