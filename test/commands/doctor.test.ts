import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "../../src/paths.ts";
import { Window } from "../support/claude.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";

interface Finding {
  level: string;
  what: string;
  why?: string;
  todo?: string;
}

/** Runs doctor in a home with a client that is logged in, and a plugin that this client reads from a folder of sources. */
function examine(home: TempHome, ...args: string[]): { findings: Finding[]; code: number; stderr: string } {
  const { stdout, stderr, exitCode } = Bun.spawnSync([binary, "doctor", "--json", ...args], {
    cwd: home.project,
    env: { ...varsOf(home), PATH: `${home.folder}/fake:/usr/bin:/bin` },
    stdin: "ignore",
  });
  return { findings: JSON.parse(stdout.toString()), code: exitCode, stderr: stderr.toString() };
}

function write(home: TempHome, path: string, value: unknown): void {
  const file = join(home.folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value), { mode: 0o755 });
}

const id = "throughline@throughline";

function setUp(home: TempHome): void {
  write(
    home,
    "fake/claude",
    '#!/bin/sh\n[ "$1" = auth ] && echo \'{"loggedIn": true}\' || echo "2.1.332 (Claude Code)"\n',
  );
  write(home, ".claude/settings.json", { enabledPlugins: { [id]: true } });
  write(home, ".claude/plugins/known_marketplaces.json", { throughline: { source: { path: "/src/throughline" } } });
  write(home, ".claude/plugins/installed_plugins.json", { plugins: { [id]: [{ scope: "user", version: "0.1.0" }] } });
}

const whatIs = (findings: Finding[], level: string): string[] =>
  findings.filter((one) => one.level === level).map(({ what }) => what);

test("nothing is broken where all is right", async () => {
  using home = tempHome();
  setUp(home);
  const window = new Window(home, 100);
  await window.start("first", "startup");
  await window.turn("question one");
  const { findings, code, stderr } = examine(home);
  expect(whatIs(findings, "broken")).toEqual([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(whatIs(findings, "ok").join("\n")).toContain("the database is whole");
});

const breakages: [string, (home: TempHome) => void, string][] = [
  ["no client", (home) => chmodSync(join(home.folder, "fake/claude"), 0o644), "Claude Code was not found"],
  ["an old client", (home) => write(home, "fake/claude", "#!/bin/sh\necho 2.1.100\n"), "too old"],
  ["not registered", (home) => write(home, ".claude/plugins/installed_plugins.json", {}), "not registered"],
  [
    "switched off here",
    (home) => write(home, "project/.claude/settings.local.json", { enabledPlugins: { [id]: false } }),
    "switched off",
  ],
  [
    "all hooks off",
    (home) => write(home, "project/.claude/settings.json", { disableAllHooks: true }),
    "disableAllHooks",
  ],
  [
    "hooks of the earlier program",
    (home) =>
      write(home, ".claude/settings.json", {
        enabledPlugins: { [id]: true },
        hooks: { Stop: [{ hooks: [{ type: "command", command: "throughline capture" }] }] },
      }),
    "has hooks of the earlier program: Stop",
  ],
  [
    "hooks of this program beside the plugin's",
    (home) =>
      write(home, ".claude/settings.json", {
        enabledPlugins: { [id]: true },
        hooks: { Stop: [{ hooks: [{ type: "command", command: "/x/throughline hook stop" }] }] },
      }),
    "hooks of its own",
  ],
  ["settings that are no JSON", (home) => write(home, "project/.claude/settings.json", "{"), "settings.json"],
  [
    "settings of ours that are not understood",
    (home) => write(home, ".throughline/config.json", '{"captur": "on"}'),
    "captur",
  ],
  ["a database that is none", (home) => write(home, ".throughline/memory.db", "no database"), "cannot be read"],
];

test.each(breakages)("%s: exit code 1, with why and what to type", (_name, breakIt, what) => {
  using home = tempHome();
  setUp(home);
  breakIt(home);
  const { findings, code, stderr } = examine(home);
  expect(whatIs(findings, "broken").join("\n")).toContain(what);
  expect(findings.filter((one) => one.level !== "ok" && !(one.why && one.todo))).toEqual([]);
  expect(code).toBe(1);
  expect(stderr).toContain("broken");
});

test("rights that others have are taken away by --fix", async () => {
  using home = tempHome();
  setUp(home);
  await new Window(home, 100).start("first", "startup");
  chmodSync(databaseFile(home.env()), 0o644);
  expect(whatIs(examine(home).findings, "broken").join("\n")).toContain("others have rights");
  expect(examine(home, "--fix").code).toBe(0);
});

test("the earlier program's hooks are taken out by --fix, and nothing else; a copy is kept", () => {
  using home = tempHome();
  setUp(home);
  const call = (command: string) => ({ type: "command", command });
  const settings = {
    model: "opus",
    enabledPlugins: { [id]: true },
    hooks: {
      Stop: [{ hooks: [call("npx throughline process-turn"), call("lint")] }],
      SessionStart: [{ matcher: "clear", hooks: [call("throughline session-start")] }],
    },
    theme: "dark",
  };
  const file = join(home.folder, ".claude/settings.json");
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  chmodSync(file, 0o600);
  expect(examine(home, "--fix").code).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...settings, hooks: { Stop: [{ hooks: [call("lint")] }] } });
  expect(readFileSync(`${file}.before-throughline`, "utf8")).toBe(JSON.stringify(settings));
  for (const path of [file, `${file}.before-throughline`]) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("answers that no hook stored are found", async () => {
  using home = tempHome();
  setUp(home);
  const session = "11111111-0000-4000-8000-000000000001";
  const slug = home.project.replace(/[^a-zA-Z0-9]/g, "-");
  await new Window(home, 100).start("first", "startup");
  const line = JSON.stringify({ type: "assistant", uuid: "a", message: { content: [] } });
  write(home, `.claude/projects/${slug}/${session}.jsonl`, `${line}\n`);
  expect(whatIs(examine(home).findings, "note").join("\n")).toContain("1 answers");
  Bun.spawnSync(["touch", "-d", "2020-01-01", join(home.folder, `.claude/projects/${slug}/${session}.jsonl`)]);
  expect(whatIs(examine(home).findings, "broken").join("\n")).toContain("are not stored");
});
