import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Terminal } from "@xterm/headless";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";

/** A note of this very process, which runs: as the client writes it. */
function writeNote(home: TempHome, change: object = {}): void {
  mkdirSync(join(home.folder, ".claude/sessions"), { recursive: true });
  const { pid } = process;
  const note = {
    pid,
    sessionId: "s",
    cwd: "/home/mina/認証サービス",
    startedAt: 1,
    status: "idle",
    statusUpdatedAt: 1,
  };
  writeFileSync(join(home.folder, ".claude/sessions", `${pid}.json`), JSON.stringify({ ...note, ...change }));
}

function run(home: TempHome, args: string[]) {
  const ran = Bun.spawnSync([binary, "status", ...args], { cwd: home.project, env: varsOf(home), stdin: "ignore" });
  return { stdout: ran.stdout.toString(), stderr: ran.stderr.toString(), code: ran.exitCode };
}

test("a plain table where stdout is no terminal, and JSON", () => {
  using home = tempHome();
  expect(run(home, ["--all"])).toEqual({ stdout: "No Claude Code session is live.\n", stderr: "", code: 0 });
  writeNote(home);
  const plain = run(home, ["--all"]);
  expect(plain).toMatchObject({ stderr: "", code: 0 });
  expect(plain.stdout).toMatch(/^project +state .*\n認証サービス {2}idle .*\d+ d\n$/);
  expect(JSON.parse(run(home, ["--all", "--json"]).stdout)).toMatchObject([{ project: "認証サービス", state: "idle" }]);
});

test.each([
  [["--watch"], "--watch goes with --all"],
  [["--all", "--watch"], "--watch needs a terminal"],
])("%j is refused with what to do", (args, said) => {
  using home = tempHome();
  expect(run(home, args)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
});

/** The program on a pseudo-terminal, and what stands on its screen. */
function watch(home: TempHome, cols: number) {
  const screen = new Terminal({ cols, rows: 20, allowProposedApi: true });
  const child = Bun.spawn([binary, "status", "--all", "--watch"], {
    cwd: home.project,
    env: { ...varsOf(home), TERM: "xterm-256color" },
    terminal: { cols, rows: 20, data: (_terminal, bytes) => screen.write(bytes) },
  });
  const lines = (): string[] =>
    Array.from({ length: screen.rows }, (_, n) => screen.buffer.active.getLine(n)?.translateToString(true) ?? "");
  const until = async (what: (lines: string[]) => boolean): Promise<string[]> => {
    for (let n = 0; n < 400 && !what(lines()); n += 1) await Bun.sleep(25);
    return lines();
  };
  const resize = (to: number) => {
    screen.resize(to, 20);
    child.terminal?.resize(to, 20);
  };
  return { child, until, resize, [Symbol.dispose]: () => screen.dispose() };
}

test.each([40, 80, 200])("watched in %d columns: refreshed in place, through resizes, until q", async (cols) => {
  using home = tempHome();
  writeNote(home);
  using watched = watch(home, cols);
  const first = await watched.until((lines) => lines.some((line) => line.includes("idle")));
  expect(first.filter((line) => line.startsWith("認証サービス"))).toHaveLength(1);
  writeNote(home, { status: "busy", statusUpdatedAt: Date.now() });
  const second = await watched.until((lines) => lines.some((line) => line.includes("working")));
  expect(second.filter((line) => line.startsWith("認証サービス"))).toHaveLength(1);
  expect(second.filter((line) => line.startsWith("project"))).toHaveLength(1);
  watched.resize(cols === 40 ? 100 : 40);
  writeNote(home, { status: "waiting" });
  const third = await watched.until((lines) => lines.some((line) => line.includes("waiting")));
  expect(third.some((line) => line.includes("/clear keeps"))).toBe(cols === 40);
  watched.child.terminal?.write("q");
  expect(await watched.child.exited).toBe(0);
});

test("Ctrl-C ends it and leaves the last table on the screen", async () => {
  using home = tempHome();
  writeNote(home);
  using watched = watch(home, 80);
  await watched.until((lines) => lines.some((line) => line.includes("idle")));
  watched.child.terminal?.write("\u0003");
  expect(await watched.child.exited).toBe(0);
  expect((await watched.until(() => true)).some((line) => line.includes("idle"))).toBe(true);
});

test("a folder's name cannot act on the terminal", () => {
  using home = tempHome();
  writeNote(home, { cwd: "/a/\u001b[31mred\u0007\u202e\ttab\nline" });
  expect(run(home, ["--all"]).stdout).toContain("[31mred tab line");
});
