import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary } from "../support/ran.ts";
import { goodStub, writeConfig, writeLogin, writeStub } from "../support/stub.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const filler = "the lights of the pier were broken by the storm, so I replaced the fuse in its box. ".repeat(5);

function writeSession(home: TempHome, session: string, turns: number): void {
  const transcript = new TranscriptBuilder(session, Date.UTC(2026, 10, 30, 13), 1_000, `${session}-`);
  for (let n = 1; n <= turns; n++) {
    transcript.prompt(`${session} prompt ${n}: what is with the harbour?`);
    transcript.say(`Answer ${n}: ${filler}`);
  }
  writeFileSync(join(home.folder, `${session}.jsonl`), transcript.text);
}

function run(home: TempHome, args: string[], session = "", fields: object = {}, vars: Record<string, string> = {}) {
  const event = {
    session_id: session,
    transcript_path: join(home.folder, `${session}.jsonl`),
    cwd: home.project,
    ...fields,
  };
  return Bun.spawn([binary, ...args], {
    cwd: home.project,
    env: {
      HOME: home.folder,
      PATH: `${join(home.folder, "bin")}:/usr/bin:/bin`,
      TZ: "UTC",
      CLAUDE_PROJECT_DIR: home.project,
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CLAUDE_CODE_SESSION_ATTENDED: "1",
      CLAUDE_PID: `${process.pid}`,
      ...vars,
    },
    stdin: new Blob([JSON.stringify(event)]),
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function stop(home: TempHome, session: string, vars: Record<string, string> = {}): Promise<void> {
  const child = run(home, ["hook", "stop"], session, { hook_event_name: "Stop" }, vars);
  expect([await child.stdout.text(), await child.stderr.text(), await child.exited]).toEqual(["", "", 0]);
}

async function end(home: TempHome, session: string): Promise<void> {
  await run(home, ["hook", "session-end"], session, { hook_event_name: "SessionEnd", reason: "other" }).exited;
}

/** Reads what the worker made of it so far. */
function read<T>(home: TempHome, sql: string): T[] {
  using db = new Database(join(home.folder, ".throughline/memory.db"), { readonly: true });
  db.run("pragma busy_timeout = 5000");
  return db.query<T, []>(sql).all();
}

async function until(what: string, probe: () => boolean, time = 30_000): Promise<void> {
  const deadline = performance.now() + time;
  while (!probe()) {
    if (performance.now() > deadline) throw new Error(`no ${what} within ${time} ms`);
    await Bun.sleep(20);
  }
}

const lines = (home: TempHome) =>
  read<{ n: number }>(home, "select count(*) as n from summaries where model is not null")[0]?.n;
const isIdle = (home: TempHome) => read(home, "select 1 from worker where holder is not null").length === 0;

test("five sessions stop at once and the client drains its input slowly: one worker, every line once", async () => {
  using home = tempHome();
  writeLogin(home);
  const slow = `const reader = Bun.stdin.stream().getReader(); let prompt = ""; const decoder = new TextDecoder();
    for (;;) { const { done, value } = await reader.read(); if (done) break; prompt += decoder.decode(value, { stream: true }); await Bun.sleep(50); }
    note(prompt); answer(turnsIn(prompt).map(line));`;
  const stub = writeStub(home, slow);
  const sessions = ["s1", "s2", "s3", "s4", "s5"];
  for (const session of sessions) writeSession(home, session, 30);
  await Promise.all(sessions.map((session) => stop(home, session)));
  await until("fifty lines", () => lines(home) === 50);
  await until("end of the worker", () => isIdle(home));
  expect(stub.mostAtOnce()).toBe(1);
  expect(stub.runs()).toHaveLength(5);
  expect(read(home, "select sum(turns) as turns, sum(kept) as kept from runs")).toEqual([{ turns: 50, kept: 50 }]);
}, 60_000);

test("the hook returns at once while the client hangs, and leaves no zombie", async () => {
  using home = tempHome();
  writeLogin(home);
  writeStub(home, `note(await readPrompt()); await Bun.sleep(3_000);`);
  writeSession(home, "s1", 30);
  const started = performance.now();
  await stop(home, "s1");
  expect(performance.now() - started).toBeLessThan(1_500);
  await until("worker", () => read(home, "select 1 from worker where pid is not null").length === 1);
  const [worker] = read<{ pid: number }>(home, "select pid from worker");
  const stat = readFileSync(`/proc/${worker?.pid}/stat`, "utf8");
  const [state, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  expect(state).not.toBe("Z");
  expect(session).toBe(`${worker?.pid}`); // a session of its own
  const files = ["0", "1", "2"].map((fd) =>
    Bun.spawnSync(["readlink", `/proc/${worker?.pid}/fd/${fd}`])
      .stdout.toString()
      .trim(),
  );
  expect(files).toEqual(["/dev/null", "/dev/null", "/dev/null"]);
  process.kill(worker?.pid ?? 0, "SIGKILL");
}, 60_000);

test("killed at whatever moment: in the end every turn has its line, none twice, nothing that was kept is paid again", async () => {
  using home = tempHome();
  writeLogin(home);
  writeStub(
    home,
    `const prompt = await readPrompt(); note(prompt); await Bun.sleep(30); answer(turnsIn(prompt).map(line));`,
  );
  writeSession(home, "s1", 20);
  await stop(home, "s1");
  for (let n = 0; n < 12; n++) {
    writeSession(home, "s1", 21 + n * 2);
    await stop(home, "s1");
    await end(home, "s1");
    await Bun.sleep(n * 12);
    const [worker] = read<{ pid: number | null }>(home, "select pid from worker");
    if (worker?.pid) process.kill(worker.pid, "SIGKILL");
  }
  await stop(home, "s1");
  await end(home, "s1");
  await until("lines", () => lines(home) === 23);
  await until("end of the worker", () => isIdle(home));
  const [kept] = read<{ kept: number }>(home, "select sum(kept) as kept from runs");
  expect(kept).toEqual({ kept: 23 });
  expect(read(home, "select 1 from due")).toEqual([]);
}, 60_000);

test("inside a run that makes lines no hook and no command does anything", async () => {
  using home = tempHome();
  writeSession(home, "s1", 30);
  for (const args of [
    ["hook", "stop"],
    ["hook", "session-start", "--part", "1"],
    ["worker"],
    ["status"],
    ["summarize"],
    ["nonsense"],
  ]) {
    const child = run(home, args, "s1", { hook_event_name: "Stop" }, { THROUGHLINE_CHILD: "1" });
    expect([await child.stdout.text(), await child.stderr.text(), await child.exited]).toEqual(["", "", 0]);
  }
  expect(readdirSync(home.folder)).not.toContain(".throughline");
});

test("summarize says what it costs first, does the backlog, and does it once", async () => {
  using home = tempHome();
  writeLogin(home);
  const stub = writeStub(home);
  writeConfig(home, { summaries: "off" });
  writeSession(home, "s1", 60);
  await stop(home, "s1");
  writeConfig(home, {});
  const dry = run(home, ["summarize", "--dry-run"]);
  expect(await dry.stdout.text()).toMatch(
    /^40 turns without a line: about [\d,]+ tokens, at list price about \$0\.\d\d/,
  );
  expect(stub.runs()).toHaveLength(0);
  const all = run(home, ["summarize"]);
  expect(await all.stdout.text()).toEndWith("40 lines written\n");
  expect(await all.exited).toBe(0);
  expect(stub.runs()).toHaveLength(4);
  expect(await run(home, ["summarize", "--all"]).stdout.text()).toBe("Every older turn has its line.\n");
  const json = JSON.parse(await run(home, ["status", "--json"]).stdout.text());
  expect(json.lines).toMatchObject({ mode: "login", lines: 40, total: { runs: 4, turns: 40, kept: 40 } });
});

test("summarize is interrupted at whatever moment: what was written is kept, the lock is free, the next call goes on", async () => {
  using home = tempHome();
  writeLogin(home);
  const stub = writeStub(home, `await Bun.sleep(150); ${goodStub}`);
  writeConfig(home, { summaries: "off" });
  writeSession(home, "s1", 70);
  await stop(home, "s1");
  writeConfig(home, {});
  let interrupted = 0;
  for (const wait of [0, 60, 130, 200, 290, 380]) {
    const child = run(home, ["summarize"]);
    const started = Date.now();
    if (wait > 0) while (stub.runs().length === 0 && Date.now() - started < 150) await Bun.sleep(5);
    await Bun.sleep(wait);
    child.kill("SIGINT");
    const [said, code] = [await child.stderr.text(), await child.exited];
    if (code === 130 && child.signalCode === null) {
      interrupted += 1;
      expect(said).toMatch(/^throughline: interrupted; \d+ lines were written and are kept\. .*\n$/);
      expect(read(home, "select holder from worker")).toEqual([{ holder: null }]);
    }
  }
  expect(interrupted).toBeGreaterThan(1);
  const last = run(home, ["summarize"]);
  expect([await last.exited, await last.stderr.text()]).toEqual([0, ""]);
  expect(read(home, "select count(*) as n, count(model) as made from summaries")).toEqual([{ n: 50, made: 50 }]);
  expect(read(home, "select sum(kept) as kept, count(*) filter (where outcome is null) as open from runs")).toEqual([
    { kept: 50, open: 0 },
  ]);
  expect(read(home, "select * from attempts")).toEqual([]);
});

test("summarize without a client fails in one line", async () => {
  using home = tempHome();
  writeLogin(home);
  writeStub(home, goodStub);
  writeConfig(home, { claude: "/nowhere/claude" });
  writeSession(home, "s1", 25);
  await stop(home, "s1");
  const child = run(home, ["summarize"]);
  expect([await child.stderr.text(), await child.exited]).toEqual([
    expect.stringMatching(/^throughline: .*\bclaude\b.*\n$/),
    1,
  ]);
});
