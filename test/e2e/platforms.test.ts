import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { release } from "../../scripts/release.ts";
import { tempHome } from "../support/home.ts";
import { root } from "./support/repo.ts";

/** A platform's archive, and what runs it here. */
interface Platform {
  name: string;
  archive: string;
  /** What has to be on this machine: a program on the PATH, or a file. */
  needs: string[];
  runner: string[];
}

const sysroot = "/usr/aarch64-linux-gnu";
const libraries = "/usr/lib/x86_64-linux-musl";
const compiler = "x86_64-w64-mingw32-gcc";
const platforms: Platform[] = [
  {
    name: "linux-arm64",
    archive: "throughline-linux-arm64.tar.gz",
    needs: ["qemu-aarch64", `${sysroot}/lib/ld-linux-aarch64.so.1`],
    runner: ["qemu-aarch64", "-L", sysroot],
  },
  {
    name: "linux-x64-musl",
    archive: "throughline-linux-x64-musl.tar.gz",
    // Debian has musl itself, not the C++ library that goes with it.
    needs: [
      "/lib/ld-musl-x86_64.so.1",
      existsSync("/etc/alpine-release") ? "/usr/lib/libstdc++.so.6" : `${libraries}/libstdc++.so.6`,
    ],
    runner: [],
  },
  { name: "windows-x64", archive: "throughline-windows-x64.zip", needs: ["wine", "unzip", compiler], runner: ["wine"] },
];

/** Wine makes itself a folder of 400 MB and is at its first start as slow as a minute: by command, not in every run. */
const wineIsAskedFor = process.env.TRY_WINE === "1";

const isHere = (need: string): boolean => (need.startsWith("/") ? existsSync(need) : Bun.which(need) !== null);

function run(command: string[], vars: Record<string, string> = {}): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { cwd: root, env: { ...process.env, ...vars } });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stdout}${stderr}`);
  return stdout.toString();
}

/** A folder for Wine, with the one library that Debian's Wine 8 has not and Bun's programs ask for. */
function prepareWine(folder: string): Record<string, string> {
  // Without a locale Wine finds nothing in a folder whose name is not ASCII.
  const vars = { WINEPREFIX: join(folder, "wine"), WINEDEBUG: "-all", LC_ALL: "C.UTF-8" };
  run(["wineboot", "-i"], vars);
  run(["wineserver", "-w"], vars);
  const source = join(folder, "prng.c");
  writeFileSync(
    source,
    `#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return RtlGenRandom(data, (ULONG)length); }
`,
  );
  const system = join(vars.WINEPREFIX, "drive_c/windows/system32");
  run([compiler, "-shared", "-o", join(system, "bcryptprimitives.dll"), source, "-ladvapi32"]);
  return vars;
}

for (const { name, archive, needs, runner } of platforms) {
  const missing = needs.find((need) => !isHere(need));
  const lacking = missing ?? (name.startsWith("windows") && !wineIsAskedFor ? "TRY_WINE=1" : undefined);
  const title = `${name}: install → hook → detail → uninstall, from its archive`;
  test.skipIf(lacking !== undefined)(lacking ? `${title} (skipped: no ${lacking})` : title, async () => {
    using home = tempHome();
    const isWindows = name.startsWith("windows");
    const vars = isWindows ? prepareWine(home.folder) : {};
    const folder = join(home.folder, "release");
    mkdirSync(folder);
    await release(folder, [name]);
    const said = run([process.execPath, join(root, "scripts/try.ts"), join(folder, archive), ...runner], vars);
    expect(said.trim().split("\n").slice(2)).toEqual(["installed once", "hook", "detail", "uninstalled"]);
  });
}
