import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "../../src/paths.ts";
import { fillStore, readExport, runExport } from "../support/exported.ts";
import { tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const fixtures = join(import.meta.dir, "../fixtures/transcripts");

describe("the lines", () => {
  test("a version, then each session before its turns, in the format of docs/export.md", async () => {
    using home = tempHome();
    await fillStore(home);
    const { stdout } = await runExport(home, "--all");
    const all = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(all[0]).toEqual({ type: "export", version: 1, exported_at: expect.any(Number) });
    expect(all.slice(1).map(({ type, id, session, number }) => `${type} ${id ?? session} ${number ?? ""}`)).toEqual([
      "session first ",
      "turn first 1",
      "turn first 2",
      "turn first 3",
      "session second ",
      "turn second 1",
      "turn second 2",
      "turn second 3",
      "session third ",
    ]);
  });

  test("a session: id, project, predecessor and why, times", async () => {
    using home = tempHome();
    await fillStore(home);
    const { sessions } = await readExport(home, "--session", "second");
    expect(sessions).toEqual([
      {
        type: "session",
        id: "second",
        project: home.project,
        git_common_dir: null,
        transcript: `${home.folder}/second.jsonl`,
        entrypoint: "cli",
        headless: false,
        source: "clear",
        started_at: expect.any(Number),
        active_at: expect.any(Number),
        ended_at: null,
        end_reason: null,
        predecessor: "first",
        link_reason: "exact",
        linked_at: expect.any(Number),
      },
    ]);
  });

  test("a turn: what was said, by whom and when, and the tools", async () => {
    using home = tempHome();
    await fillStore(home);
    const [turn] = (await readExport(home, "--session", "first")).turns;
    expect(turn).toEqual({
      type: "turn",
      uuid: "first-0000001-0000-4000-8000-000000000000",
      parent_uuid: null,
      session: "first",
      number: 1,
      started_at: expect.any(Number),
      zone_offset: 0,
      state: "open",
      left_at: null,
      cwd: "/home/dev/project",
      messages: [
        {
          uuid: "first-0000001-0000-4000-8000-000000000000",
          role: "user",
          at: expect.any(Number),
          text: "question one 認証",
        },
        {
          uuid: "first-0000002-0000-4000-8000-000000000000",
          role: "assistant",
          at: expect.any(Number),
          text: "answer to question one 認証",
        },
      ],
      prompt: ["question one 認証"],
      answer: ["answer to question one 認証"],
      summary: "what it was about",
      usage: { model: "claude-opus-5-5", context_tokens: 1250 },
      details: [
        {
          kind: "tool_input",
          source_id: "toolu_first-2",
          tool: "Bash",
          at: expect.any(Number),
          input: '{"command":"cat log"}',
          output: null,
        },
        {
          kind: "tool_output",
          source_id: "toolu_first-2:result",
          tool: null,
          at: expect.any(Number),
          input: null,
          output: "long output ".repeat(100),
        },
      ],
    });
  });

  test("what is exported by default is the folder's project", async () => {
    using home = tempHome();
    await fillStore(home);
    const ids = async (...args: string[]) => (await readExport(home, ...args)).sessions.map(({ id }) => id);
    expect(await ids()).toEqual(["first", "second"]);
    expect(await ids("--project", home.project)).toEqual(["first", "second"]);
    expect(await ids("--project", ".")).toEqual(["first", "second"]);
    expect(await ids("--project", "/elsewhere")).toEqual(["third"]);
    expect(await ids("--session", "third")).toEqual(["third"]);
    expect(await ids("--all")).toEqual(["first", "second", "third"]);
  });
});

describe("a transcript", () => {
  test.each(readdirSync(fixtures))("%s is exported without an error; the store is not touched", async (file) => {
    using home = tempHome();
    const { first, sessions, turns } = await readExport(home, "--transcript", join(fixtures, file));
    expect(first.version).toBe(1);
    expect(sessions.map(({ transcript }) => transcript)).toEqual([join(fixtures, file)]);
    expect(turns.length).toBeGreaterThan(0);
    expect(turns.map(({ number }) => number)).toEqual(turns.map((_, n) => n + 1));
    for (const { messages, prompt, answer } of turns) {
      const by = (role: string) => messages.filter((message) => message.role === role).map(({ text }) => text);
      expect({ prompt, answer }).toEqual({ prompt: by("user"), answer: by("assistant") });
    }
    expect(readdirSync(home.folder)).toEqual(["project"]);
  });

  test("a store that is there stays as it is, and what is in it is not exported", async () => {
    using home = tempHome();
    await fillStore(home);
    const before = await Bun.file(databaseFile(home.env())).bytes();
    const { sessions } = await readExport(home, "--transcript", join(fixtures, "korean.jsonl"));
    expect(sessions).toHaveLength(1);
    expect(await Bun.file(databaseFile(home.env())).bytes()).toEqual(before);
  });

  test("its session began with its first line and was active until its last", async () => {
    using home = tempHome();
    const { sessions, turns } = await readExport(home, "--transcript", join(fixtures, "cyrillic.jsonl"));
    const last = turns.at(-1)?.messages.at(-1)?.at as number;
    expect(sessions[0]?.started_at).toBeLessThanOrEqual(turns[0]?.started_at as number);
    expect(sessions[0]?.active_at).toBeGreaterThanOrEqual(last);
    expect(sessions[0]?.active_at).toBeLessThan(last + 86_400_000);
  });

  test("a last line without its line end counts: nothing is written behind it any more", async () => {
    using home = tempHome();
    const file = join(home.folder, "cut.jsonl");
    const t = new TranscriptBuilder();
    t.prompt("why?");
    t.say("because");
    writeFileSync(file, t.text.trimEnd());
    expect((await readExport(home, "--transcript", file)).turns[0]?.answer).toEqual(["because"]);
  });
});

describe("bad input is one line that says why, exit code 2", () => {
  test.each([
    [["--session", "nobody"], "no session nobody is stored"],
    [["--session", ""], "session"],
    [["--project", "/nowhere"], "nothing is stored for the project /nowhere"],
    [["--transcript", "/nowhere.jsonl"], "there is no transcript /nowhere.jsonl"],
    [["--transcript", "."], "transcript"],
    [["--session", "first", "--all"], "export takes one of"],
    [["--session", "first", "--project", "."], "export takes one of"],
    [["--project", ".", "--transcript", "x"], "export takes one of"],
    [["--session", "", "--all"], "export takes one of"],
    [["--sesion", "first"], "--sesion"],
    [["first"], "first"],
  ])("%p", async (args, why) => {
    using home = tempHome();
    await fillStore(home);
    const { stdout, stderr, code } = await runExport(home, ...args);
    expect(stderr).toContain(why);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  });
});

test("nothing stored yet is said, with exit code 1, and makes no store", async () => {
  using home = tempHome();
  expect(await runExport(home)).toEqual({
    stdout: "",
    stderr: `throughline: nothing is stored yet: there is no ${databaseFile(home.env())}\n`,
    code: 1,
  });
  expect(existsSync(databaseFile(home.env()))).toBe(false);
});

test("a reader that has seen enough ends it quietly", async () => {
  using home = tempHome();
  const child = Bun.spawn(["/bin/sh", "-c", '"$BIN" export --transcript "$FILE" | head -1'], {
    env: { ...varsOf(home), BIN: binary, FILE: join(fixtures, "korean.jsonl") },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(JSON.parse(stdout).type).toBe("export");
  expect(stderr).toBe("");
});
