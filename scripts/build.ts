// Builds dist/throughline and the plugin folder. `--faults` builds dist/faults/ instead: the same program with the
// fault switches that the end-to-end tests use compiled in.
import { cp, link, mkdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { pluginFiles } from "../src/install/plugin.ts";

const root = join(import.meta.dir, "..");
const faults = process.argv.includes("--faults");
const dist = join(root, faults ? "dist/faults" : "dist");
const plugin = join(dist, "plugin");
const suffix = process.platform === "win32" ? ".exe" : "";

/** Compiles `entry` as the released program is compiled: nothing of the folder it runs in is ever loaded. */
export async function compile(
  entry: string,
  outfile: string,
  define: Record<string, string> = {},
  target?: Bun.Build.CompileTarget,
): Promise<void> {
  await Bun.build({
    entrypoints: [entry],
    // jitPolicy: a hook is over before compiling its code pays; commands and long readings switch it back to 1.
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false, jitPolicy: 1000, ...(target && { target }) },
    splitting: true,
    minify: true,
    bytecode: true,
    format: "esm",
    define,
    plugins: [replace(entry, await joinImports(entry, define))],
  });
}

// All that the entry imports outright becomes one module: what commands import too would else be 26 more of them, and each
// costs a hook 0.04 ms to load.
async function joinImports(entry: string, define: Record<string, string>): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "bun", define, plugins: [leaveDynamicImports] });
  const [output] = outputs;
  if (!output) throw new Error(`${entry} came out as nothing`);
  return output.text();
}

const leaveDynamicImports: Bun.BunPlugin = {
  name: "leave dynamic imports",
  setup: (build) => {
    build.onResolve({ filter: /^\./ }, ({ kind, importer, path }) =>
      kind === "dynamic-import" ? { path: resolve(dirname(importer), path), external: true } : undefined,
    );
  },
};

const replace = (path: string, contents: string): Bun.BunPlugin => ({
  name: "replace a module",
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, (file) => (file.path === path ? { contents, loader: "js" } : undefined));
  },
});

async function buildPlugin(binary: string): Promise<void> {
  await rm(plugin, { recursive: true, force: true });
  await mkdir(join(plugin, "bin"), { recursive: true });
  await link(binary, join(plugin, "bin", `throughline${suffix}`));
  for (const [path, text] of pluginFiles(manifest.version)) await Bun.write(join(plugin, path), text);
  await cp(join(root, ".claude-plugin/icon.png"), join(plugin, ".claude-plugin/icon.png"));
}

async function buildFaultsMarketplace(): Promise<void> {
  const marketplace = await Bun.file(join(root, ".claude-plugin/marketplace.json")).json();
  marketplace.plugins[0].source = "./plugin";
  await Bun.write(join(dist, ".claude-plugin/marketplace.json"), `${JSON.stringify(marketplace, null, 2)}\n`);
}

if (import.meta.main) {
  await mkdir(dist, { recursive: true });
  const binary = join(dist, `throughline${suffix}`);
  await rm(binary, { force: true });
  await compile(join(root, "src/main.ts"), binary, {
    THROUGHLINE_VERSION: JSON.stringify(manifest.version),
    THROUGHLINE_FAULTS: JSON.stringify(faults),
  });
  await buildPlugin(binary);
  if (faults) await buildFaultsMarketplace();
}
