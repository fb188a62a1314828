import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotOf } from "../e2e/support/folder.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const session = "11111111-0000-4000-8000-000000000000";
const recorded = readFileSync(join(import.meta.dir, "../fixtures/statusline/after-two-turns.json"), "utf8");

/** What the client would say of a session of that home. */
const told = (home: TempHome, change: object = {}): string =>
  JSON.stringify({
    ...JSON.parse(recorded),
    session_id: session,
    workspace: { project_dir: home.project },
    context_window: { total_input_tokens: 142_000, context_window_size: 200_000 },
    ...change,
  });

function run(home: TempHome, args: string[], stdin: string, vars: Record<string, string> = {}) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([binary, ...args], {
    cwd: home.project,
    env: { ...varsOf(home), NO_COLOR: "1", ...vars },
    stdin: Buffer.from(stdin),
  });
  return { stdout: stdout.toString(), stderr: stderr.toString(), code: exitCode };
}

const statusline = (home: TempHome, stdin = told(home), vars: Record<string, string> = {}) =>
  run(home, ["statusline"], stdin, vars);
const said = (stdout: string) => ({ stdout, stderr: "", code: 0 });

/** A home in which that session has a turn that was stored. */
function homeWithTurn(): TempHome {
  const home = tempHome();
  const transcript = join(home.folder, `${session}.jsonl`);
  const builder = new TranscriptBuilder();
  builder.prompt("Which timeout do we have?");
  builder.say("An hour. ".repeat(400));
  writeFileSync(transcript, builder.text);
  const event = { session_id: session, transcript_path: transcript, cwd: home.project, hook_event_name: "Stop" };
  expect(
    run(home, ["hook", "stop"], JSON.stringify(event), {
      CLAUDE_PROJECT_DIR: home.project,
      CLAUDE_CODE_SESSION_ATTENDED: "1",
    }),
  ).toEqual(said(""));
  return home;
}

test("the client's figure, and what /clear keeps; nothing is written", () => {
  using home = homeWithTurn();
  const files = () => Object.entries(snapshotOf(home.folder)).filter(([name]) => !name.endsWith("-shm")); // a reader's lock
  const before = files();
  expect(statusline(home)).toEqual(said("142k/200k ▓▓▓▓▓▓▓░░░ 71 % · /clear keeps ≈1.2k\n"));
  expect(files()).toEqual(before);
});

test("a home in which nothing is stored yet", () => {
  using home = tempHome();
  expect(statusline(home)).toEqual(said("142k/200k ▓▓▓▓▓▓▓░░░ 71 %\n"));
});

test("a session that is not stored yet", () => {
  using home = homeWithTurn();
  expect(statusline(home, told(home, { session_id: "other" }))).toEqual(said("142k/200k ▓▓▓▓▓▓▓░░░ 71 %\n"));
});

test("a project that is switched off", () => {
  using home = homeWithTurn();
  expect(run(home, ["off"], "").code).toBe(0);
  expect(statusline(home)).toEqual(said("142k/200k ▓▓▓▓▓▓▓░░░ 71 %\n"));
});

test("a store that cannot be read is a mark, not an error", () => {
  using home = homeWithTurn();
  writeFileSync(join(home.folder, ".throughline/memory.db"), "no database at all");
  expect(statusline(home)).toEqual(said("142k/200k ▓▓▓▓▓▓▓░░░ 71 % · ⚠ throughline status\n"));
});

test("what failed unseen is a mark until the person was told", () => {
  using home = homeWithTurn();
  run(home, ["hook", "stop"], '{"session_id":"x","hook_event_name":"Stop","transcript_path":5}');
  expect(statusline(home).stdout).toContain("⚠ throughline status");
});

test("width and colour", () => {
  using home = homeWithTurn();
  expect(statusline(home, told(home), { COLUMNS: "30" }).stdout).toBe("142k/200k\n");
  expect(statusline(home, told(home), { COLUMNS: "46" }).stdout).toBe("142k/200k 71 % · /clear keeps ≈1.2k\n");
  expect(statusline(home, told(home), { COLUMNS: "nonsense", NO_COLOR: "" }).stdout).toBe(
    "\u001b[33m142k/200k ▓▓▓▓▓▓▓░░░ 71 %\u001b[0m · /clear keeps ≈1.2k\n",
  );
});

test.each(["", "{", "[]", "7"])("what is no JSON of the client's gets one line and no error: %j", (stdin) => {
  using home = tempHome();
  expect(statusline(home, stdin)).toEqual(
    said("throughline statusline reads what Claude Code writes on stdin: see --help\n"),
  );
});

test("the person's own line stands above, is given the same, and cannot hold ours up", () => {
  using home = homeWithTurn();
  const settings = join(home.folder, ".claude/settings.json");
  mkdirSync(join(home.folder, ".claude"));
  const install = (command: string) => {
    writeFileSync(settings, JSON.stringify({ statusLine: { type: "command", command } }));
    const ran = run(home, ["install", "--yes", "--statusline", "--no-import"], "");
    expect(ran.stdout).toContain("statusLine");
    const set = JSON.parse(readFileSync(settings, "utf8")).statusLine.command;
    expect(set).toBe(`${home.folder}/.throughline/bin/throughline statusline`);
  };
  const ours = "142k/200k ▓▓▓▓▓▓▓░░░ 71 % · /clear keeps ≈1.2k\n";

  install(`printf '\\033[31mred\\033[0m 記憶 '; sed 's/.*"session_id":"\\([0-9]*\\).*/\\1/'`);
  expect(statusline(home).stdout).toBe(`\u001b[31mred\u001b[0m 記憶 11111111\n${ours}`);
  install("exit 3");
  expect(statusline(home).stdout).toBe(ours);
  for (const endless of ["printf one; exec sleep 100", "printf one; sleep 15 | cat"]) {
    install(endless);
    expect(statusline(home).stdout).toBe(`one\n${ours}`);
  }
}, 60_000);

test("--help says what it is for", () => {
  using home = tempHome();
  expect(run(home, ["statusline", "--help"], "").stdout).toContain("install --statusline");
});
