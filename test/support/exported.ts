import type { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { appendFileSync } from "node:fs";
import { databaseFile } from "../../src/paths.ts";
import type { ExportedSession, ExportedTurn } from "../../src/store/export.ts";
import { openStore } from "../../src/store/open.ts";
import { Window } from "./claude.ts";
import type { TempHome } from "./home.ts";
import { type Ran, runIn } from "./ran.ts";
import type { TranscriptBuilder } from "./transcript.ts";

/** Runs `throughline export` in the project's folder. */
export const runExport = (home: TempHome, ...args: string[]): Promise<Ran> => runIn(home, undefined, "export", ...args);

/** What an export holds, by kind of line. */
export interface Export {
  first: Record<string, unknown>;
  sessions: ExportedSession[];
  turns: ExportedTurn[];
}

/** The lines of an export that went well. */
export async function readExport(home: TempHome, ...args: string[]): Promise<Export> {
  const { stdout, stderr, code } = await runExport(home, ...args);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  expect(stdout).toEndWith("\n");
  const [first, ...rest] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return {
    first,
    sessions: rest.filter(({ type }) => type === "session"),
    turns: rest.filter(({ type }) => type === "turn"),
  };
}

/** The store in the home. */
export const openFile = (home: TempHome): Database => openStore(databaseFile(home.env()));

/** Appends what the client wrote since, and reports it with the next turn. */
function write(window: Window, build: (transcript: TranscriptBuilder) => void): void {
  const before = window.transcript.lines.length;
  build(window.transcript);
  const added = window.transcript.lines.slice(before).map((line) => `${line}\n`);
  appendFileSync(window.file, added.join(""));
}

/** Two projects; a window that went on after /clear, with tools, a rewind, interrupts and a summary. */
export async function fillStore(home: TempHome): Promise<void> {
  const window = new Window(home, 100);
  await window.start("first", "startup");
  await window.turn("question one 認証");
  write(window, (t) => {
    t.tool("Bash", { command: "cat log" }, "long output ".repeat(100));
    const end = t.last;
    t.prompt("left for another");
    t.say("an answer that was left");
    t.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
    t.backTo(end);
  });
  await window.turn("question two");
  await window.clear("second");
  await window.turn("question three");
  write(window, (t) => {
    t.prompt("interrupted");
    t.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
  });
  await window.turn("question four");
  const other = new Window(home, 200, { cwd: "/elsewhere" });
  await other.start("third", "startup");
  using db = openFile(home);
  db.run("insert into projects (path, git_common_dir, created_at) values ('/elsewhere', '/elsewhere/.git', 1)");
  db.run("update sessions set project_id = (select max(id) from projects) where uuid = 'third'");
  db.run("insert into summaries select id, 'what it was about', 'some-model', 5 from turns where uuid like '%0001-%'");
}
