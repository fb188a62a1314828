import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sessionStart from "../../src/hooks/session-start.ts";
import { databaseFile } from "../../src/paths.ts";
import { saveFailure } from "../../src/store/failures.ts";
import { openStore } from "../../src/store/open.ts";
import { promptsTold, Window } from "../support/claude.ts";
import { tempHome } from "../support/home.ts";

test("the first start of a project tells the person once and the model nothing", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  expect(await window.start("a", "startup")).toEqual({
    message: "Throughline records this project. Nothing to restore yet.",
    parts: [],
  });
  expect(await new Window(home, 101).start("b", "startup")).toEqual({ message: undefined, parts: [] });
});

test("after /clear the thread is told, and again after the next: three sessions' memory", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  await window.turn("first");
  await window.clear("b");
  await window.turn("second");
  const told = await window.clear("c");
  expect(promptsTold(told)).toEqual(["first", "second"]);
  expect(told.message).toMatchInlineSnapshot(
    `"Throughline restored 2 turns in full: ≈200 tokens instead of 1,250. /clear again for a clean start."`,
  );
  const text = told.parts.join("\n").replace(/\d\d:\d\d:\d\d/g, "HH:MM:SS");
  expect(text.replace(/\d+ seconds ago/, "N seconds ago")).toMatchInlineSnapshot(`
    "Throughline, part 1 of 1
    ## Throughline: session memory
    A record of this same conversation before this session began, oldest first: what the person said and what you answered, word for word, without tool output. The last exchange is where things stand. Lists and requests further up were dealt with then and are no orders now.
    It continues session b (certain: of the same window), whose last turn began N seconds ago.
    A short "ok", "go on" or "続き" answers the last exchange.

    ### Recent turns
    — 2026-11-30 —
    [HH:MM:SS] [user]: first
    [HH:MM:SS] [assistant]: answer to first
    [HH:MM:SS] [user]: second
    [HH:MM:SS] [assistant]: answer to second

    ### Where things stand
    [HH:MM:SS] [user]: second
    [HH:MM:SS] [assistant]: answer to second
    ---
    Details of any turn, with its tool output: \`throughline detail HH:MM:SS\` (also \`14:23-14:30\`, \`2026-11-29 13:02\`)"
  `);
});

test("each part is emitted once, whichever is first, and a second registration says nothing", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  for (let n = 1; n <= 22; n += 1) await window.turn(`question ${n}`, `${"long answer ".repeat(250)} end ${n}`);
  await window.end("clear");
  const told = await window.start("b", "clear", [5, 2, 1, 8, 3, 4, 7, 6]);
  expect(told.parts.length).toBe(7);
  expect(told.parts.map((part) => part.split("\n")[0])).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((k) => `Throughline, part ${k} of 7`),
  );
  expect(Math.max(...told.parts.map((part) => part.length))).toBeLessThanOrEqual(9_900);
  expect(await window.start("b", "clear")).toEqual({ message: undefined, parts: [] });
});

test("a part whose predecessor never spoke says where the missing text is", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  for (let n = 1; n <= 9; n += 1) await window.turn(`question ${n}`, `${"long answer ".repeat(250)} end ${n}`);
  await window.end("clear");
  const told = await window.start("b", "clear", [1, 3]);
  expect(told.parts).toHaveLength(2);
  const note = told.parts[1]?.split("\n")[0];
  expect(note).toMatch(
    /^\(Part 2 did not arrive: `throughline detail 2026-11-30 \d\d:\d\d:\d\d-2026-11-30 \d\d:\d\d:\d\d`\)$/,
  );
  expect(note?.length).toBeLessThan(100);
});

test("when the process that prepares dies, another one takes over", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  await window.turn("first");
  await window.end("clear");
  {
    using db = openStore(databaseFile(home.env()));
    await window.start("b", "resume");
    db.run(
      "insert into restores (session_id, leader_pid, started_at) select id, 99999, 0 from sessions where uuid = 'b'",
    );
  }
  expect(promptsTold(await window.start("b", "clear", [2, 1]))).toEqual(["first"]);
});

test("resume and fork are told nothing; compact one line", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  await window.turn("first");
  await window.turn("second");
  const file = window.file;
  for (const source of ["resume", "fork"]) {
    const output = await sessionStart(window.env(), window.event("SessionStart", { source }), ["--part", "1"]);
    expect(output).toBeUndefined();
  }
  const output = await sessionStart(
    window.env(),
    window.event("SessionStart", { source: "compact", transcript_path: file }),
    ["--part", "1"],
  );
  const context = JSON.parse(output ?? "").hookSpecificOutput.additionalContext;
  expect(context.replace(/\d\d:\d\d:\d\d/g, "HH:MM:SS")).toMatchInlineSnapshot(
    `"Throughline keeps the 2 turns from before this compaction word for word (2026-11-30 HH:MM:SS to 2026-11-30 HH:MM:SS): \`throughline detail 2026-11-30 HH:MM:SS-2026-11-30 HH:MM:SS\`"`,
  );
  expect(context.split("\n")).toHaveLength(1);
});

test("two windows: each continues its own, although the other spoke last", async () => {
  using home = tempHome();
  const [one, two] = [new Window(home, 100), new Window(home, 200)];
  await one.start("a", "startup");
  await one.turn("one speaks");
  await two.start("b", "startup");
  await two.turn("two speaks");
  expect(promptsTold(await one.clear("c"))).toEqual(["one speaks"]);
  expect(promptsTold(await two.clear("d"))).toEqual(["two speaks"]);
});

test("/clear twice starts clean on purpose", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  await window.turn("first");
  await window.clear("b");
  const told = await window.clear("c");
  expect(told.parts).toEqual([]);
  expect(told.message).toStartWith("Throughline: a clean start");
});

test("a new start continues the newest conversation that no living window holds, and says that it guessed", async () => {
  using home = tempHome();
  const living = new Window(home, 200);
  const dead = new Window(home, 100);
  await dead.start("a", "startup");
  await dead.turn("from the closed window");
  await dead.end("prompt_input_exit");
  await living.start("b", "startup");
  await living.turn("from the open window");
  const told = await new Window(home, 300).start("c", "startup");
  expect(promptsTold(told)).toEqual([]);
  await living.end("prompt_input_exit");
  const next = await new Window(home, 400).start("d", "startup");
  expect(promptsTold(next)).toEqual(["from the closed window", "from the open window"]);
  expect(next.parts[0]).toContain("is a guess");
});

test("a new start more than a day later is told one part only", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  for (let n = 1; n <= 12; n += 1) await window.turn(`question ${n}`, "long answer ".repeat(250));
  await window.end("prompt_input_exit");
  const later = new Window(home, 200, { now: () => Window.clock + 2 * 86_400_000 });
  expect((await later.start("b", "startup")).parts).toHaveLength(1);
});

test("an interrupted turn is restored and marked", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  await window.turn("first");
  await window.turn("cut off", undefined);
  window.transcript.say("I beg");
  window.transcript.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
  writeFileSync(window.file, window.transcript.text);
  const told = await window.clear("b");
  expect(promptsTold(told)).toEqual(["first", "cut off"]);
  expect(told.parts.join("\n").match(/\(the person interrupted this answer\)/g)).toHaveLength(2);
});

test.each([
  ["headless", { CLAUDE_CODE_SESSION_ATTENDED: "0" }],
  ["headless of an older client", { CLAUDE_CODE_SESSION_ATTENDED: undefined, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }],
])("%s sessions are neither stored nor told nor continued", async (_name, vars) => {
  using home = tempHome();
  const person = new Window(home, 100);
  await person.start("a", "startup");
  await person.turn("of a person");
  await person.end("prompt_input_exit");
  const base = home.env().vars;
  const program = new Window(home, 200, { vars: { ...base, ...vars } });
  expect(await program.start("b", "startup")).toEqual({ message: undefined, parts: [] });
  await program.turn("of a program");
  await program.end("other");
  expect(promptsTold(await new Window(home, 300).start("c", "startup"))).toEqual(["of a person"]);
});

test.each([
  ["the home folder", (home: string) => home],
  ["the root folder", () => "/"],
  ["a temporary folder", () => "/tmp"],
])("in %s nothing is restored", async (outcome, folder) => {
  using home = tempHome();
  const vars = { ...home.env().vars, CLAUDE_PROJECT_DIR: folder(home.folder) };
  const window = new Window(home, 100, { vars });
  await window.start("a", "startup");
  await window.turn("first");
  expect((await window.clear("b")).parts).toEqual([]);
  using db = openStore(databaseFile(home.env()));
  const row = db.query<{ outcome: string }, []>("select outcome from restores order by session_id desc limit 1").get();
  expect(row?.outcome).toBe(outcome);
});

test("what failed unseen is told at the next start, once", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  await window.turn("first");
  {
    using db = openStore(databaseFile(home.env()));
    saveFailure(db, { at: 0, event: "stop", message: "disk full" });
  }
  expect((await window.clear("b")).message).toContain("could not do its work at stop: disk full");
  await window.turn("second");
  expect((await window.clear("c")).message).not.toContain("disk full");
});

test.each([
  ["the person deleted it", {}, 0, "was deleted, though Claude Code keeps them for 30 days"],
  ["the client's time was up", {}, 40, undefined],
  ["the client's time is short", { cleanupPeriodDays: 2 }, 3, undefined],
  [
    "the client's time is long",
    { cleanupPeriodDays: 365 },
    40,
    "was deleted, though Claude Code keeps them for 365 days",
  ],
] as const)("a transcript that is gone: %s", async (_, settings, after, said) => {
  using home = tempHome();
  const projects = join(home.folder, ".claude/projects/p");
  mkdirSync(projects, { recursive: true });
  writeFileSync(join(home.folder, ".claude/settings.json"), JSON.stringify(settings));
  const window = new Window(home, 100, {}, projects);
  await window.start("a", "startup");
  await window.turn("first");
  await window.end("prompt_input_exit");
  rmSync(window.file);
  const later = new Window(home, 200, { now: () => Window.clock + after * 86_400_000 }, projects);
  const told = await later.start("b", "startup");
  expect(promptsTold(told)).toEqual(said ? [] : ["first"]);
  if (said) expect(told.message).toContain(said);
  if (said) expect(told.message).toContain("throughline forget --session a");
});
