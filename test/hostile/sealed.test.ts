import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { examples } from "../../src/commands/help.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { type EventName, hooks, payload, runProgram } from "./program.ts";
import { cannotIsolate, cannotTrace, runTraced } from "./traced.ts";

/** Each hook and command, as it does the most. The worker is in it as well; it has nothing to do. */
const commands: readonly (readonly string[])[] = [
  ["install", "--dry-run"],
  ["install", "--yes", "--no-import"],
  ["install", "--yes", "--no-import", "--statusline"],
  ["status"],
  ["status", "--all"],
  ["detail", "13:00:01"],
  ["search", "a"],
  ["preview"],
  ["doctor"],
  ["sessions"],
  ["link"],
  ["unlink"],
  ["fresh"],
  ["restore"],
  ["config"],
  ["config", "set", "language", "ja"],
  ["off"],
  ["on"],
  ["summarize", "--dry-run"],
  ["forget", "--session", "none"],
  ["forget", "--match", "nobody said this", "--yes"],
  ["import", "--yes"],
  ["import", "--yes", "kept.tar.gz"],
  ["export", "--all"],
  ["db", "check"],
  ["db", "backup"],
  ["db", "restore"],
  ["db", "repair"],
  ["completions", "bash"],
  ["view", "--no-open", "--idle", "0.01"],
  ["statusline"],
  ["demo"],
  ["uninstall", "--dry-run"],
  ["uninstall", "--yes"],
  ["worker"],
  ["--help"],
  ["--version"],
];

/** Programs and settings that some program or other takes from the folder it is started in. */
const programs = [
  "claude",
  "git",
  "bun",
  "bunx",
  "node",
  "npm",
  "tar",
  "gzip",
  "sh",
  "bash",
  "ps",
  "env",
  "throughline",
];
const settings: Readonly<Record<string, string>> = {
  ".env": "THROUGHLINE_DISABLE=1\nTHROUGHLINE_HOME=/throughline-trap\nBUN_OPTIONS=--preload=./evil.ts\n",
  ".env.local": "THROUGHLINE_DISABLE=1\n",
  ".env.production": "THROUGHLINE_DISABLE=1\n",
  ".env.development": "THROUGHLINE_DISABLE=1\n",
  "bunfig.toml": 'preload = ["./evil.ts"]\n',
  "package.json": "{ broken",
  "tsconfig.json": "{ broken",
  "jsconfig.json": "{ broken",
  ".npmrc": "registry=http://127.0.0.1:1/\n",
  ".bunfig.toml": 'preload = ["./evil.ts"]\n',
  "evil.ts": "throw new Error('owned')",
  "throughline.json": "{",
  "config.json": "{",
  "libc.so.6": "no library",
  "memory.db": "no database",
};

/** A project full of traps, with a transcript; whatever of it runs leaves a file `owned` in the home. */
function setTraps(home: TempHome): void {
  for (const [name, text] of Object.entries(settings)) writeFileSync(join(home.project, name), text);
  for (const name of programs) {
    writeFileSync(join(home.project, name), `#!/bin/sh\necho ${name} >> "${join(home.folder, "owned")}"\n`);
    chmodSync(join(home.project, name), 0o755);
  }
  mkdirSync(join(home.project, "node_modules/citty"), { recursive: true });
  writeFileSync(join(home.project, "node_modules/citty/index.js"), "throw new Error('owned')");
  const transcript = new TranscriptBuilder("s1");
  transcript.prompt("why?");
  transcript.tool("Bash", { command: "ls" }, "x");
  transcript.say("because");
  writeFileSync(join(home.folder, "s1.jsonl"), transcript.text);
  expect(
    Bun.spawnSync(["tar", "-czf", join(home.project, "kept.tar.gz"), "-C", home.folder, "s1.jsonl"]).exitCode,
  ).toBe(0);
}

const vars = { PATH: ".::relative:/usr/bin:/bin:", CLAUDE_CODE_SESSION_ID: "s1" };

const runs = (home: TempHome): { args: readonly string[]; stdin: string }[] => [
  ...(Object.keys(hooks) as EventName[]).map((event) => ({
    args: hooks[event],
    stdin: payload(event, {
      transcript_path: join(home.folder, "s1.jsonl"),
      cwd: home.project,
      tool_name: "Bash",
      tool_input: { command: "throughline status" },
    }),
  })),
  ...commands.map((args) => ({ args, stdin: "" })),
];

/** All but the one that is asked for a port: it is looked at by itself, as a place without a network has no loopback either. */
const portless = (home: TempHome) => runs(home).filter(({ args }) => args[0] !== "view");

test("every command is here", () => {
  const names = new Set(commands.map(([name]) => name));
  expect(Object.keys(examples).filter((name) => !names.has(name))).toEqual([]);
});

test("in a folder full of traps, with it on the PATH, nothing of it runs and everything works as elsewhere", async () => {
  using home = tempHome();
  setTraps(home);
  for (const { args, stdin } of runs(home)) {
    const ran = await runProgram(home, args, { stdin, vars });
    expect([...args, ran.stderr.includes("owned"), existsSync(join(home.folder, "owned"))]).toEqual([
      ...args,
      false,
      false,
    ]);
    if (args[0] === "hook") expect([...args, ran.code, ran.stderr]).toEqual([...args, 0, ""]);
  }
  expect(existsSync("/throughline-trap")).toBe(false);
  for (const [name, text] of Object.entries(settings))
    expect(readFileSync(join(home.project, name), "utf8")).toBe(text);
}, 120_000);

const traced = describe.skipIf(cannotTrace !== undefined);
traced(`by its system calls${cannotTrace === undefined ? "" : ` (skipped: ${cannotTrace})`}`, () => {
  test("no socket is opened but those between processes, no name is looked up, and no trap is even looked at", async () => {
    using home = tempHome();
    setTraps(home);
    const traps = new Set(
      [...Object.keys(settings), ...programs, "node_modules"].map((name) => join(home.project, name)),
    );
    const found: string[] = [];
    let calls = 0;
    for (const { args, stdin } of portless(home)) {
      const ran = await runTraced(home, args, { stdin, vars });
      calls += ran.calls.length;
      for (const call of ran.calls) {
        if (isNetwork(call) || traps.has(pathOf(call, home.project) ?? "")) found.push(`${args.join(" ")}: ${call}`);
      }
    }
    expect(found).toEqual([]);
    expect(calls).toBeGreaterThan(1_000);
  }, 300_000);

  test("the viewer listens to this machine alone, and speaks to nobody", async () => {
    using home = tempHome();
    const { code } = await runProgram(home, ["db", "check"]);
    expect(code).toBe(1); // there is no store yet
    setTraps(home);
    const stored = await runProgram(home, ["import", "--yes", join(home.folder, "s1.jsonl")]);
    expect(stored.code).toBe(0);
    const ran = await runTraced(home, ["view", "--no-open", "--idle", "0.01"], { vars, withNetwork: true });
    expect(ran.stdout).toStartWith("http://127.0.0.1:");
    const calls = ran.calls.filter(isNetwork).map((call) => call.replace(/^\d+ +/, ""));
    expect(calls.filter((call) => call.startsWith("bind(")).length).toBe(1);
    const strange = calls.filter(
      (call) =>
        !/^(?:socket\(AF_INET, |bind\(\d+, \{sa_family=AF_INET, .*"127\.0\.0\.1"|listen\(|accept4?\()/.test(call),
    );
    expect(strange).toEqual([]);
  }, 60_000);

  test("a call that is one would be seen", () => {
    expect(isNetwork("12 socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 3")).toBe(true);
    expect(isNetwork('12 connect(3, {sa_family=AF_UNIX, sun_path="/run/nscd"}, 110) = -1')).toBe(true);
    expect(isNetwork("12 socketpair(AF_UNIX, SOCK_STREAM, 0, [3, 4]) = 0")).toBe(false);
    expect(pathOf('12 openat(AT_FDCWD, ".env", O_RDONLY) = 3', "/p")).toBe("/p/.env");
    expect(pathOf('12 execve("/p/./git", ["git"], 0x1 /* 3 vars */) = 0', "/p")).toBe("/p/git");
    expect(pathOf('12 unlinkat(11, "memory.db", 0) = 0', "/p")).toBeUndefined();
  });
});

/** What it takes to speak to anybody else; what is written to a pipe is a pair of sockets here and there, and leads nowhere. */
const isNetwork = (call: string): boolean => /\b(?:socket|connect|bind|listen|accept4?)\(/.test(call);

/** The path that a call names, as if it were made in `folder`; none where it is relative to an open folder. */
function pathOf(call: string, folder: string): string | undefined {
  const path = /"((?:[^"\\]|\\.)*)"/.exec(call)?.[1];
  return path === undefined || /at\(\d+, "[^/]/.test(call) ? undefined : resolve(folder, path);
}

test.skipIf(cannotIsolate !== undefined)(
  `without any network everything does the same${cannotIsolate === undefined ? "" : ` (skipped: ${cannotIsolate})`}`,
  async () => {
    const outcomes: string[][] = [];
    for (const command of [[], ["unshare", "-Urn"]]) {
      using home = tempHome();
      setTraps(home);
      const binary = join(import.meta.dir, "../../dist/throughline");
      const codes: string[] = [];
      for (const { args, stdin } of portless(home)) {
        const ran = await runProgram(home, args, { stdin, vars, command: [...command, binary] });
        codes.push(
          `${args.join(" ")}: ${ran.code}, ${ran.stdout.length > 0}, ${ran.stderr.replaceAll(home.folder, "~").length}`,
        );
      }
      outcomes.push(codes);
      expect(readdirSync(join(home.folder, ".throughline"))).toContain("memory.db");
    }
    expect(outcomes[1]).toEqual(outcomes[0] as string[]);
  },
  120_000,
);

describe("the sources", () => {
  const src = join(import.meta.dir, "../../src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

  test.each([
    [
      "start no shell",
      /\bshell: (?:true|")|\bBun\.\$|import \{[^}]*\$[^}]*\} from "bun"|from "node:child_process"|require\("node:child_process"\)|(?<![\w.)\]/])exec(?:Sync|File|FileSync)?\(/,
    ],
    ["start programs by a list of words alone", /Bun\.spawn(?:Sync)?\((?!\[)/],
    ["name no shell", /["'`/](?:sh|bash|zsh|dash|cmd|cmd\.exe|powershell|pwsh)(?:\.exe)?["'`]\s*,/],
    ["make no code of text", /\beval\(|new Function\(|\bvm\b.*from "node:vm"/],
    [
      "speak to nobody",
      /(?<![\w.])fetch\(|\bWebSocket\(|Bun\.(?:serve|connect|listen|udpSocket|dns)|from "node:(?:net|http|https|http2|tls|dgram|dns)"|"bun:(?:sql|redis)"|Bun\.(?:SQL|sql|redis|s3)/,
    ],
  ])("%s", (_, what) => {
    const offenders = files.filter(
      (file) => ![listens, chains].includes(file) && what.test(withoutLists(readFileSync(join(src, file), "utf8"))),
    );
    expect(offenders).toEqual([]);
  });
});

/** The one file that listens: to this machine, as its own tests and the system calls show. */
const listens = join("viewer", "serve.ts");

/** The one file that gives a command line to a shell: the person's own, as the client itself does. */
const chains = join("statusline", "chained.ts");

// The list of shells that completions are for starts none of them.
const withoutLists = (text: string): string => text.replace(/const shells = \[.*?\]/s, "");
