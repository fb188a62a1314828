import { expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary } from "../support/ran.ts";

interface Ran {
  stdout: string;
  stderr: string;
  code: number;
}

/** Root may write anywhere: there, somebody else is asked to. */
const asNobody = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];

function run(home: TempHome, args: string[], vars: Record<string, string> = {}, before: string[] = []): Ran {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...before, vars.PROGRAM ?? binary, ...args], {
    cwd: home.project,
    env: { HOME: home.folder, PATH: `${home.folder}/fake:/usr/bin:/bin`, TZ: "UTC", ...vars },
    stdin: "ignore",
  });
  return { stdout: stdout.toString(), stderr: stderr.toString(), code: exitCode };
}

/** A client that notes what it is asked, and refuses what `refuses` matches. */
function fakeClient(home: TempHome, version = "2.1.332", refuses = "^$"): string {
  const folder = join(home.folder, "fake");
  mkdirSync(folder, { recursive: true });
  const asked = join(folder, "asked");
  const script = `#!/bin/sh
[ "$1" = --version ] && { echo "${version} (Claude Code)"; exit 0; }
echo "$*" | grep -q '${refuses}' && { echo "policy says no" >&2; exit 1; }
printf '%s\\n' "$*" >> '${asked}'
`;
  writeFileSync(join(folder, "claude"), script, { mode: 0o755 });
  return asked;
}

function copyOf(home: TempHome, name: string): string {
  const copy = join(home.folder, name);
  copyFileSync(binary, copy);
  return copy;
}

const listing = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
const program = (home: TempHome): string => join(home.folder, ".throughline/bin/throughline");

test("--dry-run, and no terminal to ask on, change nothing", () => {
  using home = tempHome();
  fakeClient(home);
  const before = listing(home.folder);
  const dry = run(home, ["install", "--dry-run"]);
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toContain("plugin marketplace add");
  expect(run(home, ["install"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect(listing(home.folder)).toEqual(before);
});

test("the client is asked to register the plugin's folder", () => {
  using home = tempHome();
  const asked = fakeClient(home);
  expect(run(home, ["install", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(asked, "utf8")).toBe(
    `plugin marketplace add ${home.folder}/.throughline/plugin\nplugin install throughline@throughline\n`,
  );
  expect(statSync(join(home.folder, ".throughline")).mode & 0o777).toBe(0o700);
  expect(statSync(program(home)).ino).toBe(statSync(binary).ino);
  const placed = run(home, ["--version"], { PROGRAM: join(home.folder, ".throughline/plugin/bin/throughline") });
  expect(placed).toEqual(run(home, ["--version"]));
});

test("no client, an old one, one that refuses: all but the registration is done, and what to type is said", () => {
  for (const [version, refuses, said] of [
    [undefined, "", "was not found"],
    ["2.1.100", "", "too old"],
    ["2.1.332", "marketplace", "policy says no"],
  ] as const) {
    using home = tempHome();
    if (version) fakeClient(home, version, refuses || "^$");
    const ran = run(home, ["install", "--yes"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toContain(`plugin marketplace add ${home.folder}/.throughline/plugin\n`);
    expect(ran.stderr).toContain("plugin install throughline@throughline\n");
    expect(existsSync(program(home))).toBe(true);
  }
});

test("CLAUDE_CONFIG_DIR is where the bare command goes", () => {
  using home = tempHome();
  fakeClient(home);
  const vars = { CLAUDE_CONFIG_DIR: join(home.folder, "its own $config 記憶") };
  expect(run(home, ["install", "--yes", "--bare-command"], vars).code).toBe(0);
  expect(existsSync(join(vars.CLAUDE_CONFIG_DIR, "commands/sc-detail.md"))).toBe(true);
  expect(existsSync(join(home.folder, ".claude"))).toBe(false);
});

test("a lost execute bit and a damaged plugin are repaired, by install and by doctor --fix", () => {
  using home = tempHome();
  fakeClient(home);
  // A copy: the built program itself must not lose its rights.
  const vars = { PROGRAM: copyOf(home, "download") };
  run(home, ["install", "--yes"], vars);
  const hooks = join(home.folder, ".throughline/plugin/.claude-plugin/hooks.json");
  for (const command of [
    ["install", "--yes"],
    ["doctor", "--fix"],
  ]) {
    chmodSync(program(home), 0o644);
    writeFileSync(hooks, "{}");
    const repaired = run(home, command, { PROGRAM: copyOf(home, command[0] as string) });
    expect(repaired.stdout).not.toContain("executable");
    expect(run(home, ["--version"], { PROGRAM: program(home) }).code).toBe(0);
    expect(readFileSync(hooks, "utf8")).toContain("SessionStart");
  }
});

test("a home that cannot be written to is refused with one line and left as it was", () => {
  using home = tempHome();
  fakeClient(home);
  chmodSync(home.folder, 0o555);
  const before = listing(home.folder);
  const { stdout, stderr, code } = run(home, ["install", "--yes"], {}, asNobody);
  chmodSync(home.folder, 0o755);
  expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
  expect(stderr).toBe(`throughline: ${home.folder} cannot be written to (no permission): nothing was changed\n`);
  expect(listing(home.folder)).toEqual(before);
});

test("a file where the folder of the data should be is refused", () => {
  using home = tempHome();
  fakeClient(home);
  writeFileSync(join(home.folder, ".throughline"), "");
  expect(run(home, ["install", "--yes"])).toMatchObject({ code: 1, stderr: expect.stringContaining("is in the way") });
});

test("uninstall --purge leaves no trace of ours, and what is another program's", () => {
  using home = tempHome();
  fakeClient(home);
  const before = listing(home.folder);
  run(home, ["install", "--yes", "--bare-command"]);
  run(home, ["hook", "session-start", "--part", "1"]);
  writeFileSync(join(home.folder, ".throughline/memory.db"), "no database");
  const removed = run(home, ["uninstall", "--purge", "--yes"]);
  expect(removed).toMatchObject({ code: 0, stderr: "" });
  expect(listing(home.folder).filter((path) => !before.includes(path) && !/^\.claude$|asked$/.test(path))).toEqual([]);
});
