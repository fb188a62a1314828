import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gitCommonDir } from "../../src/project.ts";
import { locateTranscript } from "../../src/transcript/locate.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { type EventName, hooks, report, runProgram } from "./program.ts";

const isRoot = process.geteuid?.() === 0;
const dataOf = (home: TempHome): string => join(home.folder, ".throughline");

function makePipe(path: string): void {
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
}

/** A transcript with one turn. */
function writeTurn(file: string, prompt = "why?"): void {
  const transcript = new TranscriptBuilder("s1");
  transcript.prompt(prompt);
  transcript.say("because");
  writeFileSync(file, transcript.text);
}

const turnsOf = async (home: TempHome): Promise<number> =>
  JSON.parse((await runProgram(home, ["status", "--json"])).stdout).project?.turns ?? 0;

/** Everything below a folder, with what is in it: to see that nothing changed. */
function contents(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const stats = lstatSync(join(folder, name));
      return `${name} ${stats.isFile() ? Bun.hash(readFileSync(join(folder, name))) : stats.mode}`;
    });
}

const events = ["SessionStart", "Stop", "SessionEnd"] as const satisfies readonly EventName[];

describe("a transcript_path that is no transcript", () => {
  const places: readonly [string, (home: TempHome) => string][] = [
    [
      "a pipe that nobody writes to",
      (home) => {
        makePipe(join(home.folder, "pipe"));
        return join(home.folder, "pipe");
      },
    ],
    [
      "a link to a pipe",
      (home) => {
        makePipe(join(home.folder, "pipe"));
        symlinkSync(join(home.folder, "pipe"), join(home.folder, "link.jsonl"));
        return join(home.folder, "link.jsonl");
      },
    ],
    ["a folder", (home) => home.project],
    ["/dev/zero", () => "/dev/zero"],
    ["/dev/random", () => "/dev/random"],
    ["/dev/tty", () => "/dev/tty"],
    ["/dev/stdin", () => "/dev/stdin"],
    ["/dev/full", () => "/dev/full"],
    ["/proc/self/mem", () => "/proc/self/mem"],
    ["/proc/kmsg", () => "/proc/kmsg"],
    ["/proc/self/environ", () => "/proc/self/environ"],
    ["a path with a NUL", (home) => `${home.folder}/a\0b.jsonl`],
    ["a path of 100,000 characters", () => `/${"a".repeat(100_000)}`],
    ["a path of 2,000 folders", () => "/a".repeat(2_000)],
    [
      "a link to itself",
      (home) => {
        symlinkSync("loop.jsonl", join(home.folder, "loop.jsonl"));
        return join(home.folder, "loop.jsonl");
      },
    ],
    [
      "a path below a file",
      (home) => {
        writeFileSync(join(home.folder, "file"), "");
        return join(home.folder, "file/x.jsonl");
      },
    ],
    ["a path that climbs", () => "../../../../../../etc/passwd"],
    ["the empty path", () => ""],
  ];

  test.each(places)(
    "%s: each hook ends, with exit code 0 or one line",
    async (_, placeOf) => {
      using home = tempHome();
      const transcript_path = placeOf(home);
      for (const event of events) {
        const ran = await report(home, event, { transcript_path, cwd: home.project });
        expect(ran.code).toBeOneOf([0, 1]);
        expect(ran.stderr.split("\n").length).toBeLessThanOrEqual(2);
        if (ran.code === 1) expect(ran.stderr).toStartWith("throughline hook ");
      }
      expect(await turnsOf(home)).toBe(0);
      const doctor = await runProgram(home, ["doctor"]);
      expect(doctor.stdout).toContain("the database is whole");
      expect((await runProgram(home, ["preview"])).stderr).toBe("");
    },
    120_000,
  );

  test("the answer is kept all the same", async () => {
    using home = tempHome();
    const ran = await report(home, "Stop", {
      transcript_path: "/dev/zero",
      last_assistant_message: "It is 42.",
      prompt_id: "p1",
    });
    expect(ran).toEqual({
      stdout: "",
      stderr: "throughline hook stop: the transcript is missing: /dev/zero\n",
      code: 1,
    });
    expect((await runProgram(home, ["preview", "--session", "s1"])).stdout).toContain("It is 42.");
  });
});

describe("a session_id", () => {
  test.each([
    "../../secret",
    "..",
    "/etc/passwd",
    "a/../../secret",
    "C:\\secret",
    "a\0b",
    "a\nb",
    "-rf",
    "--all",
    "a".repeat(100_000),
    "\u202e\u001b[2J",
    "'; drop table sessions; --",
    "__proto__",
    "%",
    "*",
  ])(
    "%j names a session and no file",
    async (session_id) => {
      using home = tempHome();
      const projects = join(home.folder, ".claude/projects/-work");
      mkdirSync(projects, { recursive: true });
      writeTurn(join(home.folder, ".claude/secret.jsonl"), "secret");
      writeTurn(join(home.folder, ".claude/projects/secret.jsonl"), "secret");
      const before = contents(join(home.folder, ".claude"));
      for (const event of events) {
        const ran = await report(home, event, { session_id, cwd: home.project });
        expect(ran.code).toBeOneOf([0, 1]);
        expect(ran.stdout + ran.stderr).not.toContain("secret.jsonl");
      }
      expect(await turnsOf(home)).toBe(0);
      expect(contents(join(home.folder, ".claude"))).toEqual(before);
      expect(readdirSync(home.folder).sort()).toEqual([".claude", ".throughline", "project"]);
      expect(locateTranscript(join(home.folder, ".claude/projects"), session_id)).toBeUndefined();
    },
    60_000,
  );
});

describe("a link that somebody planted", () => {
  test("memory.db: neither read nor written, and a line says what to do", async () => {
    using home = tempHome();
    mkdirSync(dataOf(home), { mode: 0o700 });
    const target = join(home.folder, "theirs.db");
    writeTurn(join(home.folder, "s1.jsonl"));
    for (const state of ["absent", "there"]) {
      if (state === "there") writeFileSync(target, "");
      if (state === "absent") symlinkSync(target, join(dataOf(home), "memory.db"));
      const ran = await report(home, "Stop", { transcript_path: join(home.folder, "s1.jsonl") });
      expect(ran.code).toBe(1);
      expect(ran.stderr).toBe(
        `throughline hook stop: ${dataOf(home)}/memory.db is a link and is not followed: put the file itself there, or set THROUGHLINE_HOME to a folder of your own\n`,
      );
      expect((await runProgram(home, ["status"])).stderr).toContain("is a link and is not followed");
      expect((await runProgram(home, ["doctor"])).stdout).toContain("is a link and is not followed");
    }
    expect(statSync(target).size).toBe(0);
  });

  test("last-error: what it leads to is neither written nor told", async () => {
    using home = tempHome();
    mkdirSync(dataOf(home), { mode: 0o700 });
    const target = join(home.folder, "theirs");
    writeFileSync(target, '{"event":"x","message":"their secret"}');
    symlinkSync(target, join(dataOf(home), "last-error"));
    writeFileSync(join(dataOf(home), "memory.db"), "no database");
    expect((await report(home, "Stop", { cwd: home.project })).code).toBe(1);
    expect(readFileSync(target, "utf8")).toContain("their secret");
    Bun.spawnSync(["rm", join(dataOf(home), "memory.db")]);
    const start = await report(home, "SessionStart", { cwd: home.project });
    expect(start.stdout).not.toContain("their secret");
    expect(existsSync(target)).toBe(true);
    expect(existsSync(join(dataOf(home), "last-error"))).toBe(false);
  });

  test("last-error that is a pipe is waited for neither in writing nor in reading", async () => {
    using home = tempHome();
    mkdirSync(dataOf(home), { mode: 0o700 });
    makePipe(join(dataOf(home), "last-error"));
    writeFileSync(join(dataOf(home), "memory.db"), "no database");
    expect((await report(home, "Stop", { cwd: home.project })).code).toBe(1);
    Bun.spawnSync(["rm", join(dataOf(home), "memory.db")]);
    expect((await report(home, "SessionStart", { cwd: home.project })).code).toBe(0);
  });

  test.each(["plugin", "bin", "plugin/.claude-plugin", "plugin/bin"])(
    "%s: install writes nothing there",
    async (name) => {
      using home = tempHome();
      const target = join(home.folder, "theirs");
      mkdirSync(target);
      mkdirSync(join(dataOf(home), "plugin"), { recursive: true, mode: 0o700 });
      if (name === "plugin") Bun.spawnSync(["rmdir", join(dataOf(home), name)]);
      symlinkSync(target, join(dataOf(home), name));
      const ran = await runProgram(home, ["install", "--yes", "--no-import"]);
      expect(ran.stderr).toContain(`${join(dataOf(home), name)} is a link and is not followed`);
      expect(ran.code).toBe(1);
      expect(readdirSync(target)).toEqual([]);
    },
  );

  test("import: the folder of unpacked archives is not cleared", async () => {
    using home = tempHome();
    const target = join(home.folder, "theirs");
    mkdirSync(join(target, "old"), { recursive: true });
    Bun.spawnSync(["touch", "-d", "2020-01-01", join(target, "old")]);
    mkdirSync(dataOf(home), { mode: 0o700 });
    symlinkSync(target, join(dataOf(home), "import"));
    const ran = await runProgram(home, ["import", "--yes"]);
    expect(ran.stderr).toContain("is a link and is not followed: remove it");
    expect(readdirSync(target)).toEqual(["old"]);
  });

  test("config.json: a person's own link is kept, and what it leads to is replaced as a whole or not at all", async () => {
    using home = tempHome();
    mkdirSync(dataOf(home), { mode: 0o700 });
    const target = join(home.folder, "not-json");
    writeFileSync(target, "#!/bin/sh\n");
    symlinkSync(target, join(dataOf(home), "config.json"));
    const ran = await runProgram(home, ["config", "set", "language", "ja"]);
    expect(ran.code).toBe(2);
    expect(readFileSync(target, "utf8")).toBe("#!/bin/sh\n");
  });

  test("the data folder itself may be one", async () => {
    using home = tempHome();
    mkdirSync(join(home.folder, "large-disk"), { mode: 0o700 });
    symlinkSync(join(home.folder, "large-disk"), dataOf(home));
    writeTurn(join(home.folder, "s1.jsonl"));
    const ran = await report(home, "Stop", { transcript_path: join(home.folder, "s1.jsonl"), cwd: home.project });
    expect(ran).toEqual({ stdout: "", stderr: "", code: 0 });
    expect(readdirSync(join(home.folder, "large-disk"))).toContain("memory.db");
  });
});

describe("a data folder", () => {
  test("in which everybody may write is refused; doctor --fix closes it", async () => {
    using home = tempHome();
    writeTurn(join(home.folder, "s1.jsonl"));
    const event = { transcript_path: join(home.folder, "s1.jsonl"), cwd: home.project };
    expect((await report(home, "Stop", event)).code).toBe(0);
    expect((await runProgram(home, ["db", "backup", join(home.folder, "kept.db")])).code).toBe(0);
    chmodSync(dataOf(home), 0o777);
    const before = contents(dataOf(home));
    const refusal = `everybody may write in ${dataOf(home)}, so it is left alone: chmod 700 ${dataOf(home)}, or set THROUGHLINE_HOME to a folder of your own`;
    for (const event of events) {
      expect((await report(home, event, { cwd: home.project })).stderr).toEndWith(`: ${refusal}\n`);
    }
    for (const args of [
      ["status"],
      ["sessions"],
      ["detail", "14:00"],
      ["preview"],
      ["config", "set", "language", "ja"],
      ["link"],
      ["fresh"],
      ["off"],
      ["db", "check"],
      ["db", "backup"],
      ["db", "restore", join(home.folder, "kept.db"), "--yes"],
      ["db", "repair"],
    ]) {
      expect((await runProgram(home, args)).stderr).toContain(refusal);
    }
    expect(contents(dataOf(home))).toEqual(before);
    expect((await runProgram(home, ["doctor"])).stdout).toContain(`do:  chmod 700 ${dataOf(home)}`);
    await runProgram(home, ["doctor", "--fix"]);
    expect(statSync(dataOf(home)).mode & 0o777).toBe(0o700);
    expect(await turnsOf(home)).toBe(1);
  }, 60_000);

  // Whoever is not root cannot give a folder away, and takes one that is not theirs.
  test("of another user is refused, whatever its rights", async () => {
    using home = tempHome();
    const folder = isRoot ? join(home.folder, "theirs") : "/usr";
    if (isRoot) {
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, 12_345, 12_345);
    }
    const vars = { THROUGHLINE_HOME: folder };
    const before = isRoot ? contents(folder) : [];
    const ran = await report(home, "Stop", { cwd: home.project }, vars);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`${folder} belongs to another user (uid ${isRoot ? 12_345 : 0}) and is left alone`);
    expect((await runProgram(home, ["status"], { vars })).stderr).toContain("belongs to another user");
    if (isRoot) expect(contents(folder)).toEqual(before);
  });

  test.skipIf(!isRoot)("with a database of another user is refused (only root can make one here)", async () => {
    using home = tempHome();
    mkdirSync(dataOf(home), { mode: 0o700 });
    writeFileSync(join(dataOf(home), "memory.db"), "");
    chownSync(join(dataOf(home), "memory.db"), 12_345, 12_345);
    const ran = await report(home, "Stop", { cwd: home.project });
    expect(ran.stderr).toContain("memory.db belongs to another user (uid 12345) and is left alone");
    expect(statSync(join(dataOf(home), "memory.db")).size).toBe(0);
  });
});

describe("a project's .git", () => {
  test.each([
    ["a pipe", (path: string) => makePipe(path)],
    ["a link to /dev/zero", (path: string) => symlinkSync("/dev/zero", path)],
    ["of 1 MB", (path: string) => writeFileSync(path, `gitdir: ${"x".repeat(1_000_000)}`)],
    ["that names a NUL", (path: string) => writeFileSync(path, "gitdir: a\0b\n")],
  ])("%s is not waited for", async (_, make) => {
    using home = tempHome();
    make(join(home.project, ".git"));
    expect((await report(home, "SessionStart", { cwd: home.project })).code).toBe(0);
  });

  test("that names a folder with a pipe for commondir is not waited for", async () => {
    using home = tempHome();
    mkdirSync(join(home.folder, "git"));
    makePipe(join(home.folder, "git/commondir"));
    writeFileSync(join(home.project, ".git"), `gitdir: ${join(home.folder, "git")}\n`);
    expect((await report(home, "SessionStart", { cwd: home.project })).code).toBe(0);
    expect(gitCommonDir(home.project)).toBe(join(home.folder, "git"));
  });
});

test("import of a pipe is refused, with what to type instead", async () => {
  using home = tempHome();
  makePipe(join(home.folder, "pipe"));
  const ran = await runProgram(home, ["import", "--yes", join(home.folder, "pipe")]);
  expect(ran.stderr).toContain("is neither a file nor a folder; - reads an export from stdin");
  expect(ran.code).toBe(2);
});

test("every hook is called here", () => {
  expect(Object.keys(hooks)).toEqual([...events, "PermissionRequest"]);
});
