import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { type TempHome, tempHome } from "./support/home.ts";
import { TranscriptBuilder } from "./support/transcript.ts";

const binary = join(import.meta.dir, "../dist/throughline");

interface Ran {
  stdout: string;
  stderr: string;
  code: number;
}

/** Runs the built program in a clean environment with a home of its own. */
async function run(home: TempHome, args: string[], stdin = "", vars: Record<string, string> = {}): Promise<Ran> {
  const child = Bun.spawn([binary, ...args], {
    cwd: home.project,
    env: {
      HOME: home.folder,
      PATH: "/usr/bin:/bin",
      CLAUDE_PROJECT_DIR: home.project,
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CLAUDE_CODE_SESSION_ATTENDED: "1",
      CLAUDE_PID: `${process.pid}`,
      TZ: "UTC",
      ...vars,
    },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
}

const quiet: Ran = { stdout: "", stderr: "", code: 0 };
const hookNames = ["session-start", "stop", "session-end", "permission-request"];
const eventNames: Record<string, string> = {
  "session-start": "SessionStart",
  stop: "Stop",
  "session-end": "SessionEnd",
  "permission-request": "PermissionRequest",
};

function writeTranscript(home: TempHome, session: string): string {
  const transcript = new TranscriptBuilder(session);
  transcript.prompt("why does it fail?");
  transcript.tool("Bash", { command: "cat log" }, "line one\nline two 日本語");
  transcript.say("because of line two");
  const file = join(home.folder, `${session}.jsonl`);
  writeFileSync(file, transcript.text);
  return file;
}

const event = (home: TempHome, name: string, fields: Record<string, unknown> = {}): string =>
  JSON.stringify({
    session_id: "s1",
    transcript_path: join(home.folder, `${fields.session_id ?? "s1"}.jsonl`),
    cwd: home.project,
    hook_event_name: name,
    ...fields,
  });

describe("a hook", () => {
  test.each(hookNames)("%s is quiet on empty input and on another event", async (name) => {
    using home = tempHome();
    expect(await run(home, ["hook", name])).toEqual(quiet);
    expect(await run(home, ["hook", name], event(home, "Notification"))).toEqual(quiet);
    expect(existsSync(join(home.folder, ".throughline"))).toBe(false);
  });

  test.each(
    hookNames.flatMap((name) =>
      [
        '{"session_id": "s1", "hook_ev',
        "[]",
        "42",
        `{"hook_event_name": "${eventNames[name]}"}`,
        `{"session_id": 7, "hook_event_name": "${eventNames[name]}"}`,
      ].map((stdin) => [name, stdin] as const),
    ),
  )("%s answers bad input %s with exit code 1 and one line", async (name, stdin) => {
    using home = tempHome();
    const ran = await run(home, ["hook", name], stdin);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toMatch(new RegExp(`^throughline hook ${name}: the hook's input .*\\n$`));
  });

  test("a missing transcript is one line and exit code 1, and nothing stored is lost", async () => {
    using home = tempHome();
    writeTranscript(home, "s1");
    expect(await run(home, ["hook", "stop"], event(home, "Stop"))).toEqual(quiet);
    const ran = await run(
      home,
      ["hook", "stop"],
      event(home, "Stop", { transcript_path: join(home.folder, "gone.jsonl") }),
    );
    expect(ran).toEqual({
      stdout: "",
      stderr: `throughline hook stop: the transcript is missing: ${home.folder}/gone.jsonl\n`,
      code: 1,
    });
    const status = await run(home, ["status", "--json"]);
    expect(JSON.parse(status.stdout).project.turns).toBe(1);
    expect(JSON.parse(status.stdout).last_error.message).toContain("the transcript is missing");
  });

  test("a database that cannot be opened is one line and exit code 1; the file `last-error` remembers it and the next start says it", async () => {
    using home = tempHome();
    writeTranscript(home, "s1");
    const database = join(home.folder, ".throughline/memory.db");
    await run(home, ["hook", "stop"], event(home, "Stop"));
    const stored = await Bun.file(database).bytes();
    writeFileSync(database, "no database at all ".repeat(1_000));
    const ran = await run(home, ["hook", "stop"], event(home, "Stop"));
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^throughline hook stop: .*not a database.*\n$/);
    writeFileSync(database, stored);
    const start = await run(
      home,
      ["hook", "session-start", "--part", "1"],
      event(home, "SessionStart", { session_id: "s2", source: "startup" }),
    );
    expect(JSON.parse(start.stdout).systemMessage).toContain("not a database");
    expect(existsSync(join(home.folder, ".throughline/last-error"))).toBe(false);
  });

  test("parts 2 to 8 are silent whatever happens", async () => {
    using home = tempHome();
    expect(await run(home, ["hook", "session-start", "--part", "2"], "{ broken")).toEqual(quiet);
  });

  test("stop prints nothing; session-start prints one JSON object", async () => {
    using home = tempHome();
    writeTranscript(home, "s1");
    expect(await run(home, ["hook", "stop"], event(home, "Stop"))).toEqual(quiet);
    expect(await run(home, ["hook", "session-end"], event(home, "SessionEnd", { reason: "clear" }))).toEqual(quiet);
    const start = await run(
      home,
      ["hook", "session-start", "--part", "1"],
      event(home, "SessionStart", { session_id: "s2", source: "clear" }),
    );
    const { systemMessage, hookSpecificOutput } = JSON.parse(start.stdout);
    expect(hookSpecificOutput.additionalContext).toContain("because of line two");
    expect(hookSpecificOutput.additionalContext).not.toContain("line one");
    expect(systemMessage).toContain("restored 1 turn in full");
  });

  test("THROUGHLINE_DISABLE=1 does nothing at all", async () => {
    using home = tempHome();
    writeTranscript(home, "s1");
    expect(await run(home, ["hook", "stop"], event(home, "Stop"), { THROUGHLINE_DISABLE: "1" })).toEqual(quiet);
    expect(existsSync(join(home.folder, ".throughline"))).toBe(false);
  });

  test("an unknown hook is one line and exit code 1", async () => {
    using home = tempHome();
    expect((await run(home, ["hook", "toString"], "{}")).code).toBe(1);
  });

  test("many first hooks at once on an empty home lose nothing", async () => {
    using home = tempHome();
    const sessions = Array.from({ length: 24 }, (_, n) => `many-${n}`);
    const ran = await Promise.all(
      sessions.map((session) =>
        run(
          home,
          ["hook", "stop"],
          event(home, "Stop", { session_id: session, transcript_path: writeNumbered(home, session) }),
        ),
      ),
    );
    expect(ran).toEqual(sessions.map(() => quiet));
    expect(JSON.parse((await run(home, ["status", "--json"])).stdout).project.turns).toBe(24);
    expect(readdirSync(join(home.folder, ".throughline")).filter((name) => name.endsWith(".new"))).toEqual([]);
  }, 30_000);
});

function writeNumbered(home: TempHome, session: string): string {
  const transcript = new TranscriptBuilder(session, Date.UTC(2026, 10, 30, 13), 1_000, `${session}-`);
  transcript.prompt(`I am ${session}`);
  transcript.say("noted");
  const file = join(home.folder, `${session}.jsonl`);
  writeFileSync(file, transcript.text);
  return file;
}

describe("a command", () => {
  test("detail shows L2 and L3 of a turn, to the session whose Bash tool asks", async () => {
    using home = tempHome();
    writeTranscript(home, "s1");
    await run(home, ["hook", "stop"], event(home, "Stop"));
    const ran = await run(home, ["detail", "13:00:01"], "", { CLAUDE_CODE_SESSION_ID: "s1" });
    expect(ran.stdout).toMatchInlineSnapshot(`
      "## 2026-11-30 13:00:01 (session s1)

      [user]: why does it fail?

      [assistant]: because of line two

      ### Tools (1)

      #### Bash
      command: cat log
      →
      line one
      line two 日本語
      "
    `);
    expect(ran.code).toBe(0);
    const json = JSON.parse((await run(home, ["detail", "2026-11-30", "13:00-13:01", "--json"])).stdout);
    expect(json.turns[0].details.map((detail: { kind: string }) => detail.kind)).toEqual(["tool_input", "tool_output"]);
  });

  test("detail says what the nearest turns are when there is none", async () => {
    using home = tempHome();
    writeTranscript(home, "s1");
    await run(home, ["hook", "stop"], event(home, "Stop"));
    const ran = await run(home, ["detail", "15:00"]);
    expect(ran.stdout).toBe(
      "No turn at 15:00.\nThe nearest turns:\n- throughline detail 2026-11-30 13:00:01 — why does it fail?\n",
    );
  });

  test("of several matches the newest is shown and the others are listed", async () => {
    using home = tempHome();
    for (const [n, at] of [Date.UTC(2026, 10, 28, 13), Date.UTC(2026, 10, 29, 13)].entries()) {
      const transcript = new TranscriptBuilder(`s${n}`, at, 1_000, `s${n}-`);
      transcript.prompt(`question of day ${n}`);
      transcript.say("answer");
      writeFileSync(join(home.folder, `s${n}.jsonl`), transcript.text);
      await run(
        home,
        ["hook", "stop"],
        event(home, "Stop", { session_id: `s${n}`, transcript_path: join(home.folder, `s${n}.jsonl`) }),
      );
    }
    const ran = await run(home, ["detail", "13:00:01"]);
    expect(ran.stdout).toContain("[user]: question of day 1");
    expect(ran.stdout).not.toContain("[user]: question of day 0");
    expect(ran.stdout).toEndWith(
      "Also at 13:00:01:\n- throughline detail 2026-11-28 13:00:01 --session s0 — question of day 0\n",
    );
  });

  test("a second is the name of its first turn, #2 of the second; another window's turn does not count", async () => {
    using home = tempHome();
    const at = Date.UTC(2026, 10, 30, 13);
    for (const [session, prompts] of [
      ["other", ["not mine"]],
      ["s1", ["one", "two"]],
    ] as const) {
      const transcript = new TranscriptBuilder(session, at, 300, `${session}-`);
      for (const prompt of prompts) transcript.prompt(prompt);
      writeFileSync(join(home.folder, `${session}.jsonl`), transcript.text);
      await run(home, ["hook", "stop"], event(home, "Stop", { session_id: session }));
    }
    const asked = async (time: string) =>
      (await run(home, ["detail", time], "", { CLAUDE_CODE_SESSION_ID: "s1" })).stdout;
    expect(await asked("13:00:00")).toStartWith("## 2026-11-30 13:00:00 (session s1)\n\n[user]: one\n");
    expect(await asked("13:00:00#2")).toStartWith("## 2026-11-30 13:00:00#2 (session s1)\n\n[user]: two\n");
    expect(await asked("13:00:00")).toContain("- throughline detail 2026-11-30 13:00:00 --session other — not mine");
    expect(await asked("13:00:00#3")).toStartWith("No turn at 13:00:00#3.");
  });

  test("what it prints is whole in a pipe and in a file opened for appending", async () => {
    using home = tempHome();
    const transcript = new TranscriptBuilder("s1");
    transcript.prompt("long");
    transcript.say("y".repeat(20_000));
    writeFileSync(join(home.folder, "s1.jsonl"), transcript.text);
    await run(home, ["hook", "stop"], event(home, "Stop"));
    const piped = (await run(home, ["detail", "13:00:01"])).stdout;
    const file = join(home.folder, "out");
    const shell = Bun.spawn(["/bin/sh", "-c", `echo begin >"$OUT"; "$BIN" detail 13:00:01 >>"$OUT"`], {
      cwd: home.project,
      env: { HOME: home.folder, PATH: "/usr/bin:/bin", TZ: "UTC", OUT: file, BIN: binary },
    });
    await shell.exited;
    expect(await Bun.file(file).text()).toBe(`begin\n${piped}`);
  });

  test("detail pages below the 30,000 characters at which Claude Code cuts, and no byte is lost between pages", async () => {
    using home = tempHome();
    const transcript = new TranscriptBuilder("s1");
    transcript.prompt("long");
    const output = Array.from({ length: 9_000 }, (_, n) => `row ${n}`).join("\n");
    transcript.tool("Bash", { command: "seq" }, output);
    writeFileSync(join(home.folder, "s1.jsonl"), transcript.text);
    await run(home, ["hook", "stop"], event(home, "Stop"));
    const pages: string[] = [];
    for (let command = ["detail", "13:00:01"]; ; ) {
      const { stdout } = await run(home, command);
      expect(stdout.length).toBeLessThan(30_000);
      const [body, foot] = stdout.split("\n---\n") as [string, string];
      pages.push(body);
      const next = /Next: `throughline ([^`]*)`/.exec(foot)?.[1];
      if (!next) break;
      command = next.split(" ");
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.join("\n")).toContain(output);
  });

  test.each([
    [["detail"], "a time is needed"],
    [["detail", "yesterday"], '"yesterday" is no time'],
    [["detail", "25:00"], '"25:00" is no time'],
    [["detail", "13:00", "--page", "0"], "--page takes a number"],
    [["detail", "13:00", "--session", "nobody"], "no session nobody"],
    [["preview", "--transcript", "/nowhere.jsonl"], "there is no transcript"],
    [["frobnicate"], "nknown command"],
  ])("%p is bad input: one line that says why, exit code 2", async (args, why) => {
    using home = tempHome();
    writeTranscript(home, "s1");
    await run(home, ["hook", "stop"], event(home, "Stop"));
    const ran = await run(home, args);
    expect(ran.stderr).toContain(why);
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("preview tells what the next session would be told, unread lines too, and changes nothing", async () => {
    using home = tempHome();
    const file = writeTranscript(home, "s1");
    await run(home, ["hook", "stop"], event(home, "Stop"));
    const more = new TranscriptBuilder("s1", Date.UTC(2026, 10, 30, 13, 30), 1_000, "more-");
    more.prompt("not read yet");
    appendFileSync(file, more.text);
    const ran = await run(home, ["preview", "--session", "s1"]);
    expect(ran.stdout).toContain("[user]: why does it fail?");
    expect(ran.stdout).toContain("[user]: not read yet\n(not answered yet)");
    expect(JSON.parse((await run(home, ["status", "--json"])).stdout).project.turns).toBe(1);
    expect((await run(home, ["preview", "--transcript", file])).stdout).toContain("[user]: not read yet");
  });

  test("nothing stored yet is said, with exit code 1", async () => {
    using home = tempHome();
    expect(await run(home, ["status"])).toEqual({
      stdout: "",
      stderr: `throughline: nothing is stored yet: there is no ${home.folder}/.throughline/memory.db\n`,
      code: 1,
    });
    expect(existsSync(join(home.folder, ".throughline"))).toBe(false);
  });

  test("--version is package.json's, --help names every command", async () => {
    using home = tempHome();
    expect((await run(home, ["--version"])).stdout).toBe(`${manifest.version}\n`);
    const help = (await run(home, ["--help"])).stdout;
    for (const name of ["detail", "preview", "status", "demo"]) expect(help).toContain(name);
  });

  test("the demo ends well", async () => {
    using home = tempHome();
    const ran = await run(home, ["demo"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("restored 20 turns in full, 5 as lines");
    expect(readdirSync(home.folder)).toEqual(["project"]);
  }, 60_000);
});

test("nothing of the folder it runs in is loaded", async () => {
  using home = tempHome();
  writeFileSync(
    join(home.project, "evil.ts"),
    `require("node:fs").writeFileSync(${JSON.stringify(join(home.folder, "owned"))}, "x")`,
  );
  writeFileSync(join(home.project, "bunfig.toml"), 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n');
  writeFileSync(
    join(home.project, ".env"),
    `THROUGHLINE_HOME=${join(home.folder, "elsewhere")}\nTHROUGHLINE_DISABLE=1\n`,
  );
  writeFileSync(join(home.project, "tsconfig.json"), "{ broken");
  writeFileSync(join(home.project, "package.json"), "{ broken");
  writeTranscript(home, "s1");
  expect(await run(home, ["hook", "stop"], event(home, "Stop"))).toEqual(quiet);
  expect(existsSync(join(home.folder, "owned"))).toBe(false);
  expect(existsSync(join(home.folder, "elsewhere"))).toBe(false);
  expect(statSync(join(home.folder, ".throughline/memory.db")).size).toBeGreaterThan(0);
});
