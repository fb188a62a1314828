import type { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../src/env.ts";
import { databaseFile } from "../../src/paths.ts";
import { processExists } from "../../src/processes.ts";
import { readDue } from "../../src/store/due.ts";
import { openStore } from "../../src/store/open.ts";
import { readSpend } from "../../src/store/runs.ts";
import { readPause } from "../../src/store/worker.ts";
import { type WorkTimes, work } from "../../src/worker/work.ts";
import { Window } from "../support/claude.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { writeConfig, writeLogin, writeStub } from "../support/stub.ts";

// Some tests let days pass; the clock is everybody's.
const began = Window.clock;
afterAll(() => {
  Window.clock = began;
});

const times: WorkTimes = { run: 20_000, life: 60_000, quiet: 0, poll: 10 };

interface Scene {
  home: TempHome;
  window: Window;
  /** How often a hook started the worker. */
  started: Record<string, string>[];
  env: (vars?: Record<string, string>, change?: Partial<Env>) => Env;
  work: (change?: Partial<WorkTimes>, vars?: Record<string, string>) => Promise<void>;
  db: () => Database;
  lines: () => { prompt: string; text: string; model: string | null }[];
}

/** A window with so many turns, each long enough to be worth a line. */
async function play(home: TempHome, turns: number, hasLogin = true): Promise<Scene> {
  if (hasLogin) writeLogin(home);
  const started: Record<string, string>[] = [];
  const vars = (own: Record<string, string> = {}) => ({
    ...home.env().vars,
    PATH: `${join(home.folder, "bin")}:/nowhere`,
    CLAUDE_PID: "100",
    ...own,
  });
  const env = (own: Record<string, string> = {}, change: Partial<Env> = {}) => ({
    ...home.env(),
    now: () => Window.clock,
    identify: (pid: number) => (processExists(pid) ? `${pid}:boot:1` : undefined),
    pid: process.pid,
    ...change,
    vars: vars(own),
  });
  const window = new Window(home, 100, { startAgain: (_, given) => started.push({ ...given }) });
  await window.start("first", "startup");
  for (let n = 1; n <= turns; n++) await window.turn(promptOf(n), `Answer ${n}: ${words(n)}`);
  const db = () => openStore(databaseFile(home.env()));
  return {
    home,
    window,
    started,
    env,
    work: (change, own) =>
      work(env({ THROUGHLINE_HOLDER: started.at(-1)?.THROUGHLINE_HOLDER ?? "none", ...own }), { ...times, ...change }),
    db,
    lines: () => {
      using store = db();
      return store
        .query<{ prompt: string; text: string; model: string | null }, []>(
          `select (select text from messages where turn_id = summaries.turn_id order by id limit 1) as prompt, summaries.text, model
           from summaries order by turn_id`,
        )
        .all();
    },
  };
}

const promptOf = (n: number) =>
  `Prompt ${n}: please look at the harbour lights of pier ${n} and tell me what you find.`;
const words = (n: number) =>
  `the lights of pier ${n} were broken by the storm, so I replaced the fuse in box ${n}. `.repeat(6);

const spend = (scene: Scene) => {
  using db = scene.db();
  return readSpend(db, 0);
};

test("20 turns: nothing is started, nothing is due", async () => {
  using home = tempHome();
  const stub = writeStub(home);
  writeConfig(home, { backups: 0 }); // they have the worker started as well
  const scene = await play(home, 20);
  await scene.window.end("other");
  expect(scene.started).toEqual([]);
  await work(scene.env(), times);
  expect(stub.runs()).toEqual([]);
  expect(spend(scene).runs).toBe(0);
});

test("30 turns: the ten oldest get a line in one run; the next session is told them", async () => {
  using home = tempHome();
  const stub = writeStub(home);
  const scene = await play(home, 30);
  const { length } = scene.started;
  await scene.work();
  expect(scene.lines().map(({ prompt }) => prompt)).toEqual(Array.from({ length: 10 }, (_, n) => promptOf(n + 1)));
  expect(stub.runs()).toHaveLength(1);
  expect(spend(scene)).toMatchObject({ runs: 1, turns: 10, kept: 10, tokens: 1_000, costUsd: 0.002 });
  const told = await scene.window.clear("second");
  expect(told.parts.join("\n")).toContain("Summary line about U: Prompt 3: please look");
  expect(told.message).toContain("20 turns in full, 10 as lines");
  // Nothing is left to do.
  using db = scene.db();
  expect(readDue(db)).toEqual([]);
  expect(scene.started).toHaveLength(length);
});

test("what a run is given: the marker, no thinking, an empty folder, the text on stdin alone, no key", async () => {
  using home = tempHome();
  const stub = writeStub(home);
  const scene = await play(home, 21);
  await scene.work({}, { ANTHROPIC_API_KEY: "sk-key", ANTHROPIC_AUTH_TOKEN: "token" });
  const [run] = stub.runs();
  expect(run?.vars).toMatchObject({ THROUGHLINE_CHILD: "1", MAX_THINKING_TOKENS: "0" });
  const names = Object.keys(run?.vars ?? {});
  expect(
    names.filter((name) => /^ANTHROPIC_|^CLAUDE_PID$|^CLAUDE_PROJECT_DIR$|^THROUGHLINE_HOLDER$/.test(name)),
  ).toEqual([]);
  expect(run?.folder).toBe(join(home.folder, ".throughline/empty"));
  expect(readdirSync(run?.folder ?? "")).toEqual([]);
  expect(run?.args.join(" ")).not.toContain("harbour");
  expect(run?.prompt).toContain("harbour");
});

describe("a client that", () => {
  test("hangs is killed, and after two retries the turn's own text is the line, marked", async () => {
    using home = tempHome();
    const stub = writeStub(home, `note(await readPrompt()); setInterval(() => {}, 1000);`);
    const scene = await play(home, 21);
    await scene.work({ run: 400 });
    expect(stub.runs()).toHaveLength(3);
    expect(scene.lines()).toEqual([{ prompt: promptOf(1), text: expect.stringContaining("Answer 1: "), model: null }]);
    // Another day it is tried once more.
    writeStub(home);
    Window.clock += 86_400_000 + 1;
    await scene.window.turn("one more", words(99));
    await scene.work();
    expect(scene.lines().map(({ model }) => model === null)).toEqual([false, false]);
  });

  test.each([
    ["exits 1", `note(await readPrompt()); process.exitCode = 1;`],
    ["prints garbage", `note(await readPrompt()); console.log("{]" + "x".repeat(100000));`],
    ["prints another form", `note(await readPrompt()); console.log(JSON.stringify({ lines: "no" }));`],
    ["prints nothing", `note(await readPrompt());`],
    ["prints without end", `note(await readPrompt()); for (;;) fs.writeSync(1, "x".repeat(65536));`],
  ])("%s costs three runs and no turn", async (_, body) => {
    using home = tempHome();
    const stub = writeStub(home, body);
    const scene = await play(home, 21);
    await scene.work();
    expect(stub.runs()).toHaveLength(3);
    expect(scene.lines().map(({ model }) => model)).toEqual([null]);
    expect(spend(scene).kept).toBe(0);
  });

  test("is missing: nobody tries for an hour, the person is told once, everything else works", async () => {
    using home = tempHome();
    const scene = await play(home, 21);
    writeConfig(home, { claude: "/nowhere/claude" });
    await scene.work();
    await scene.window.turn("after", words(1));
    expect(scene.started).toHaveLength(1);
    const told = await scene.window.clear("second");
    expect(told.message).toContain("was not found at /nowhere/claude");
    expect(told.parts.length).toBeGreaterThan(0);
    expect((await scene.window.clear("third")).message).not.toContain("not found");
  });

  test("answers late is waited for", async () => {
    using home = tempHome();
    writeStub(
      home,
      `const prompt = await readPrompt(); note(prompt); await Bun.sleep(700); answer(turnsIn(prompt).map(line));`,
    );
    const scene = await play(home, 21);
    await scene.work();
    expect(scene.lines()).toHaveLength(1);
  });

  test("lacks options: found out once, remembered, and the next cheaper form is used", async () => {
    using home = tempHome();
    const stub = writeStub(
      home,
      `const lacking = ["--no-session-persistence", "--system-prompt", "--json-schema"].find((name) => process.argv.includes(name));
       if (lacking) { console.error("error: unknown option '" + lacking + "'"); process.exit(1); }
       const prompt = await readPrompt(); note(prompt);
       const lines = turnsIn(prompt).map((text, n) => ({ n: n + 1, line: line(text) }));
       console.log(JSON.stringify({ ...result([]), structured_output: undefined, result: "Here: " + JSON.stringify({ lines }) }));`,
    );
    const scene = await play(home, 21);
    await scene.work();
    expect(stub.runs()).toHaveLength(1);
    expect(stub.runs()[0]?.prompt).toStartWith("You index a log");
    expect(scene.lines()).toHaveLength(1);
    expect(spend(scene)).toMatchObject({ runs: 4, turns: 1 });
    await scene.window.turn("again", words(2));
    await scene.work();
    expect(spend(scene)).toMatchObject({ runs: 5, turns: 2 });
  });

  test.each([
    ["is not logged in", "auth", `{ is_error: true, result: "Not logged in · Please run /login" }`],
    ["is at its limit", "limit", `{ is_error: true, api_error_status: 429, result: "usage limit reached" }`],
    [
      "is offline",
      "unreachable",
      `{ is_error: true, api_error: "connection_failed", result: "API Error: ECONNREFUSED" }`,
    ],
  ])("%s is asked once, then not for a while", async (_, reason, result) => {
    using home = tempHome();
    const stub = writeStub(home, `note(await readPrompt()); console.log(JSON.stringify(${result}));`);
    const scene = await play(home, 22);
    await scene.work();
    await scene.window.turn("after", words(1));
    expect(stub.runs()).toHaveLength(1);
    expect(scene.started).toHaveLength(1);
    expect(scene.lines()).toEqual([]);
    {
      using db = scene.db();
      expect(readPause(db)?.reason as string).toBe(reason);
      expect(spend(scene).turns).toBe(0);
    }
    writeStub(home);
    Window.clock += 3_600_001;
    await scene.window.turn("later", words(1));
    await scene.work();
    expect(scene.lines()).toHaveLength(4);
  });

  test("is too old for lines: a bad line is asked for again, with the reason, and alone with its like", async () => {
    using home = tempHome();
    const stub = writeStub(
      home,
      `const prompt = await readPrompt(); const run = note(prompt);
       answer(turnsIn(prompt).map((text, n) => run === 1 && n === 0 ? "BANANA" : line(text)));`,
    );
    const scene = await play(home, 25);
    await scene.work();
    expect(stub.runs()).toHaveLength(2);
    expect(stub.runs()[1]?.prompt).toContain("(last answer: too short)");
    expect(scene.lines().map(({ model }) => model !== null)).toEqual([true, true, true, true, true]);
  });
});

test("no login: nothing runs, and the person is told once", async () => {
  using home = tempHome();
  const stub = writeStub(home);
  const scene = await play(home, 21, false);
  await scene.work({}, { ANTHROPIC_API_KEY: "sk-key" });
  expect(stub.runs()).toEqual([]);
  const told = await scene.window.clear("second");
  expect(told.message).toContain("there is no Claude login");
  expect((await scene.window.clear("third")).message ?? "").not.toContain("login");
  writeConfig(home, { summaries: "any" });
  Window.clock += 3_600_001;
  await scene.window.turn("more", words(1));
  await scene.work({}, { ANTHROPIC_API_KEY: "sk-key" });
  expect(stub.runs()).toHaveLength(0); // not before the person was told
  expect((await scene.window.clear("fourth")).message).toContain("Claude account or key");
  await scene.window.turn("and more", words(1));
  await scene.work({}, { ANTHROPIC_API_KEY: "sk-key" });
  expect(stub.runs()[0]?.vars.ANTHROPIC_API_KEY).toBe("sk-key");
});

test("switched off: nothing is started", async () => {
  using home = tempHome();
  writeStub(home);
  writeConfig(home, { summaries: "off" });
  const scene = await play(home, 22);
  expect(scene.started).toEqual([]);
});

test("the daily cap ends the day", async () => {
  using home = tempHome();
  const stub = writeStub(home);
  writeConfig(home, { summaries_per_day: 3 });
  const scene = await play(home, 26);
  await scene.work();
  expect(stub.runs()).toHaveLength(1);
  expect(scene.lines()).toHaveLength(3);
  // The newest of the older turns come first.
  expect(scene.lines().at(-1)?.prompt).toBe(promptOf(6));
  Window.clock += 86_400_000;
  await scene.window.turn("next day", words(1));
  await scene.work();
  expect(scene.lines()).toHaveLength(6);
});

test("a worker waits for a thread to be quiet, unless it is over or a run is full", async () => {
  using home = tempHome();
  const stub = writeStub(home);
  const scene = await play(home, 22);
  await scene.work({ quiet: 60_000, life: 0 });
  expect(stub.runs()).toHaveLength(0);
  await scene.window.end("other");
  expect(scene.started).toHaveLength(2);
  await scene.work({ quiet: 60_000 });
  expect(scene.lines()).toHaveLength(2);
});

test("a turn that changed while it was summarized keeps no stale line", async () => {
  using home = tempHome();
  writeStub(
    home,
    `const prompt = await readPrompt(); note(prompt);
     const { Database } = require("bun:sqlite");
     const db = new Database(process.env.HOME_OF_TEST + "/.throughline/memory.db");
     if (note(prompt) < 3) db.run("update messages set text = text || ' and more' where turn_id = (select min(id) from turns)");
     db.close();
     answer(turnsIn(prompt).map(line));`,
  );
  const scene = await play(home, 21);
  await scene.work({}, { HOME_OF_TEST: home.folder });
  expect(scene.lines()).toHaveLength(1);
  expect(spend(scene)).toMatchObject({ runs: 2, kept: 1 });
});

test("the client's folder and an address of somebody else's: the login is out of reach", async () => {
  using home = tempHome();
  const stub = writeStub(home);
  const scene = await play(home, 21);
  await scene.work({}, { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "sk-key" });
  const vars = stub.runs()[0]?.vars;
  expect(vars).toMatchObject({
    ANTHROPIC_API_KEY: "sk-key",
    CLAUDE_CONFIG_DIR: join(home.folder, ".throughline/no-login"),
  });
  expect(existsSync(join(vars?.CLAUDE_CONFIG_DIR ?? "", ".credentials.json"))).toBe(false);
});
