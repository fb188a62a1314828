import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { ownMarketplace, pluginFiles } from "../../src/install/plugin.ts";
import { quoted } from "../../src/install/quote.ts";

const root = join(import.meta.dir, "../..");

test("every source of the plugin is in the program", () => {
  const sources = readdirSync(join(root, ".claude-plugin"), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name).slice(root.length + 1));
  const files = [...pluginFiles("1.0.0"), ownMarketplace()].map(([path]) => path);
  // The icon is for the catalogue that plugins are submitted to; no client shows it.
  const needed = sources.filter((path) => !path.endsWith("icon.png"));
  expect(files.toSorted()).toEqual([...needed, "LICENSE", "README.md"].toSorted());
});

test("what the program lays out is the built plugin", () => {
  for (const [path, text] of pluginFiles(manifest.version))
    expect(readFileSync(join(root, "dist/plugin", path), "utf8")).toBe(text);
});

test("on Windows the hooks name the program as it is called there", () => {
  const hooks = Object.fromEntries(pluginFiles("1.0.0", "win32"))[".claude-plugin/hooks.json"];
  expect(hooks).toContain("/bin/throughline.exe");
  expect(hooks?.match(/\/bin\/throughline"/)).toBeNull();
});

test.each<[string, string, string]>([
  ["plain/path", "plain/path", "plain/path"],
  ["with space", "'with space'", "'with space'"],
  ["it's $HOME", `'it'\\''s $HOME'`, "'it''s $HOME'"],
  ["記憶 🧵", "'記憶 🧵'", "'記憶 🧵'"],
])("%s can be typed in a shell", (word, posix, windows) => {
  expect(quoted([word], "linux")).toBe(posix);
  expect(quoted([word], "win32")).toBe(windows);
  expect(Bun.spawnSync(["/bin/sh", "-c", `printf %s ${posix}`]).stdout.toString()).toBe(word);
});
