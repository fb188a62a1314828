import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { configFile, databaseFile, dataFolder } from "../../src/paths.ts";
import { openStore } from "../../src/store/open.ts";
import { promptsTold, Window } from "../support/claude.ts";
import { tellTurns } from "../support/dump.ts";
import { type TempHome, tempHome } from "../support/home.ts";

function configure(home: TempHome, value: unknown): void {
  mkdirSync(dataFolder(home.env()), { recursive: true, mode: 0o700 });
  writeFileSync(configFile(home.env()), typeof value === "string" ? value : JSON.stringify(value));
}

const offFor = (project: string) => ({ projects: { [project]: { capture: "off", inherit: "off" } } });

function stored(home: TempHome): string[] {
  using db = openStore(databaseFile(home.env()));
  return tellTurns(db).filter((line) => line.includes("user:"));
}

test("a project that is off stores nothing and is told nothing, others go on", async () => {
  using home = tempHome();
  configure(home, offFor(home.project));
  const window = new Window(home, 100);
  expect(await window.start("a", "startup")).toEqual({ message: undefined, parts: [] });
  await window.turn("first");
  expect(await window.clear("b")).toEqual({ message: undefined, parts: [] });
  expect(stored(home)).toEqual([]);

  const elsewhere = { vars: { ...home.env().vars, CLAUDE_PROJECT_DIR: home.folder.concat("/other") } };
  const other = new Window(home, 200, elsewhere);
  await other.start("c", "startup");
  await other.turn("of the other project");
  expect(stored(home)).toEqual(["  user: of the other project"]);
});

test("switched off in the middle, what was stored stays and nothing is added; on again, it goes on", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  await window.turn("before");
  configure(home, offFor(home.project));
  await window.turn("meanwhile");
  expect(await window.clear("b")).toEqual({ message: undefined, parts: [] });
  expect(stored(home)).toEqual(["  user: before"]);
  configure(home, {});
  await window.turn("after");
  expect(stored(home)).toEqual(["  user: before", "  user: after"]);
});

test("the event of another project does not read what a killed window said in one that is off", async () => {
  using home = tempHome();
  configure(home, offFor(home.project));
  const killed = new Window(home, 100);
  await killed.start("a", "startup");
  await killed.turn("not for the store");
  const vars = { ...home.env().vars, CLAUDE_PROJECT_DIR: home.folder.concat("/other") };
  const later = { vars, now: () => Window.clock + 3_600_000, identify: () => undefined };
  const other = new Window(home, 200, later);
  await other.start("b", "startup");
  await other.turn("of the other project");
  expect(stored(home)).toEqual(["  user: of the other project"]);
});

test("where the client does not name the project, the session's stored one counts", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a", "startup");
  configure(home, offFor(home.project));
  const unnamed = new Window(home, 100, { vars: { CLAUDE_PID: "100" }, cwd: "/" });
  unnamed.session = "a";
  await unnamed.turn("first");
  expect(stored(home)).toEqual([]);
});

test("restore_parts of the project bounds what its sessions are told", async () => {
  using home = tempHome();
  configure(home, { restore_parts: 0, projects: { [home.project]: { restore_parts: 2 } } });
  const window = new Window(home, 100);
  await window.start("a", "startup");
  for (let n = 1; n <= 12; n += 1) await window.turn(`question ${n}`, "long answer ".repeat(250));
  expect((await window.clear("b")).parts).toHaveLength(2);
});

test("a wrong key is said once, not at every event, and the valid keys count", async () => {
  using home = tempHome();
  configure(home, { captrue: "off", projects: { [home.project]: { language: "ja" } } });
  const window = new Window(home, 100);
  const { message } = await window.start("a", "startup");
  expect(message).toContain("復元するものはまだありません");
  expect(message).toContain(`${configFile(home.env())}: captrue is no setting; allowed: capture, inherit,`);
  expect(message?.match(/captrue/g)).toHaveLength(1);
  await window.turn("first");
  await window.turn("second");
  const told = await window.clear("b");
  expect(promptsTold(told)).toEqual(["first", "second"]);
  expect(told.message).not.toContain("captrue");
  using db = openStore(databaseFile(home.env()));
  expect(db.query("select count(*) as n from failures").get()).toEqual({ n: 1 });
});

test("a wrong key is said again the day after, and another one at once", async () => {
  using home = tempHome();
  configure(home, { captrue: "off" });
  await new Window(home, 100).start("a", "startup");
  const tomorrow = new Window(home, 200, { now: () => Window.clock + 86_500_000 });
  expect((await tomorrow.start("b", "startup")).message).toContain("captrue");
  configure(home, { inhreit: "off" });
  expect((await new Window(home, 300).start("c", "startup")).message).toContain("inhreit");
});

test("a file that is no JSON means the defaults, said once", async () => {
  using home = tempHome();
  configure(home, "{ capture: off }");
  const window = new Window(home, 100);
  expect((await window.start("a", "startup")).message).toContain("config.json is no JSON");
  await window.turn("first");
  const told = await window.clear("b");
  expect(promptsTold(told)).toEqual(["first"]);
  expect(told.message).not.toContain("config.json");
});
