import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tarGz } from "../../scripts/archive.ts";
import { tempHome } from "../support/home.ts";

// As a release made anywhere but in a repository has it.
const script = readFileSync(join(import.meta.dir, "../../scripts/install.sh"), "utf8").replaceAll("@RELEASES@", "");
const archives = ["linux-x64", "linux-x64-musl", "linux-arm64", "darwin-arm64", "darwin-x64"];

// Stands for the program: says what it was asked, and ends as the person's answer would have it.
const program = Buffer.from('#!/bin/sh\nprintf "asked: %s\\n" "$@"\nexit "$' + '{STUB_CODE:-0}"\n');

/** Releases on this machine: version 1.2.3, which is the newest, whose sums are what `sums` makes of the true ones. */
function serveReleases(sums: (text: string) => string) {
  const files = new Map<string, Blob>();
  let text = "";
  for (const name of archives) {
    const bytes = tarGz([{ name: `throughline-1.2.3-${name}/throughline`, data: program, isProgram: true }]);
    files.set(`throughline-${name}.tar.gz`, new Blob([Buffer.from(bytes)]));
    text += `${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  throughline-${name}.tar.gz\n`;
  }
  files.set("SHA256SUMS", new Blob([sums(text)]));
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const path = new URL(request.url).pathname;
      const file = /^\/releases\/(?:latest\/download|download\/v1\.2\.3)\/(.+)$/.exec(path)?.[1];
      const found = file === undefined ? undefined : files.get(file);
      return found === undefined ? new Response("no such file", { status: 404 }) : new Response(found);
    },
  });
}

async function runInstaller(sums: (text: string) => string, args: string[], vars: Record<string, string> = {}) {
  await using server = serveReleases(sums);
  using home = tempHome();
  const temporary = join(home.folder, "it's $TMP 記憶");
  mkdirSync(temporary);
  writeFileSync(join(home.folder, "install.sh"), script);
  const child = Bun.spawn(["setsid", "--wait", "sh", join(home.folder, "install.sh"), ...args], {
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: home.folder,
      TMPDIR: temporary,
      THROUGHLINE_RELEASES: `http://127.0.0.1:${server.port}/releases`,
      ...vars,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr: stderr.trim().split("\n").at(-1), code, left: readdirSync(temporary) };
}

const asTheyAre = (text: string): string => text;

// setsid takes the terminal away, which the questions would go to.
describe.skipIf(Bun.which("setsid") === null)("install.sh", () => {
  test("downloads the newest release, verifies it, hands on what it was given, and leaves nothing behind", async () => {
    const done = await runInstaller(asTheyAre, ["--yes", "--scope", "it's local"]);
    expect(done).toEqual({
      stdout: "asked: install\nasked: --yes\nasked: --scope\nasked: it's local\n",
      stderr: "",
      code: 0,
      left: [],
    });
  });

  test("another release by its version; its end is the program's", async () => {
    const done = await runInstaller(asTheyAre, [], { THROUGHLINE_VERSION: "1.2.3", STUB_CODE: "3" });
    expect(done).toMatchObject({ stdout: "asked: install\n", code: 3, left: [] });
  });

  test.each([
    [
      "a sum that is not the archive's",
      (text: string) => text.replace(/^[0-9a-f]/gm, (c) => (c === "0" ? "1" : "0")),
      /is not the one in SHA256SUMS; nothing was installed$/,
    ],
    [
      "sums without this archive",
      (text: string) => text.replaceAll("throughline-", "other-"),
      /^install\.sh: SHA256SUMS does not name throughline-/,
    ],
  ])("%s: refused in one line, nothing is run", async (_, sums, line) => {
    const done = await runInstaller(sums, ["--yes"]);
    expect(done).toMatchObject({ stdout: "", code: 1, left: [] });
    expect(done.stderr).toMatch(line);
  });

  test("a release that is not there, and no place to look: one line", async () => {
    const absent = await runInstaller(asTheyAre, [], { THROUGHLINE_VERSION: "9.9.9" });
    expect(absent).toMatchObject({ stdout: "", code: 1, left: [] });
    expect(absent.stderr).toMatch(/^install\.sh: cannot download .*\/v9\.9\.9\/SHA256SUMS$/);
    const nowhere = await runInstaller(asTheyAre, [], { THROUGHLINE_RELEASES: "" });
    expect(nowhere).toMatchObject({ stderr: "install.sh: THROUGHLINE_RELEASES must say where releases are", code: 1 });
  });
});
