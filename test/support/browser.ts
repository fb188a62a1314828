import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import axe from "axe-core";
import { parseTar } from "nanotar";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { installPackage } from "../e2e/support/package.ts";
import { root } from "../e2e/support/repo.ts";

// Chromium as an npm package: no system package is needed, and every machine has the same one.
const name = "@sparticuz/chromium";
const version = "153.0.0";

const flags = [
  "--no-sandbox", // there is none for root; what the tests open is their own
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--font-render-hinting=none",
];

/** A browser with a profile and a home of its own. */
export interface TestBrowser {
  /** A new window's page; nothing is shared with another one. */
  open(options?: BrowserContextOptions): Promise<Page>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts Chromium, headless; `CHROMIUM` names another one. */
export async function startBrowser(): Promise<TestBrowser> {
  const place = process.env.CHROMIUM ? undefined : await installPackage("browsers", name, version, unpack);
  const home = mkdtempSync(join(tmpdir(), "throughline-browser-"));
  const browser = await chromium.launch({
    executablePath: place === undefined ? (process.env.CHROMIUM as string) : join(place, "chromium"),
    args: flags,
    env: {
      HOME: home,
      PATH: "/usr/bin:/bin",
      TZ: "UTC",
      ...(place === undefined ? {} : { LD_LIBRARY_PATH: join(place, "lib") }),
    },
  });
  return {
    open: async (options = {}) => (await browser.newContext({ locale: "en", ...options })).newPage(),
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

// The libraries are those that a small machine may lack.
async function unpack(folder: string): Promise<void> {
  const packed = join(folder, "node_modules", name, "bin");
  const inflate = async (file: string) => brotliDecompressSync(await readFile(join(packed, file)));
  writeFileSync(join(folder, "chromium"), await inflate("chromium.br"));
  chmodSync(join(folder, "chromium"), 0o755);
  for (const { name: path, data } of parseTar(await inflate("al2023.tar.br"))) {
    if (!data || !path.includes("lib/") || path.endsWith("/")) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), data);
  }
  rmSync(join(folder, "node_modules"), { recursive: true });
}

/** What axe finds wrong with a page: `rule: the first places`. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run()")) as axe.AxeResults;
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(" "))}`);
}

/** A picture for the README is at most this large. */
const mostBytes = 300_000;

/** Takes a picture of what the page shows: for docs/pictures where PICTURES=1 asks for it, to look at in .cache else. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const path = join(root, process.env.PICTURES === "1" ? "docs/pictures" : ".cache/pictures", `${name}.png`);
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  const { size } = statSync(path);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes`);
}
