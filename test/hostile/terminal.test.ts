import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examples } from "../../src/commands/help.ts";
import { printable, printableJson } from "../../src/output.ts";
import { databaseFile } from "../../src/paths.ts";
import { readDetails, replaceDetails } from "../../src/store/details.ts";
import { openStore } from "../../src/store/open.ts";
import { tempHome } from "../support/home.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { report, runProgram } from "./program.ts";
import { bidiSigns, terminalSigns } from "./values.ts";

/** Anything that a terminal acts on, but tabs and newlines. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const evil = `x${[...terminalSigns, ...bidiSigns].join("y")}z`;
/** As a name of a file or folder, which holds no slash and is not too long. */
const evilName = "n\u001b[31m\u009b2J\u202e\u0007m";
const time = "2026-11-30 13:00:01";

/** Every command, as it says the most of what is stored, and as it refuses. */
const calls: Readonly<Record<string, readonly (readonly string[])[]>> = {
  install: [["--dry-run"], ["--dry-run", "--claude", evil], ["--scope", evil]],
  status: [[], ["--json"], [evil], ["--all"], ["--all", "--json"], ["--all", "--watch"]],
  detail: [
    [time],
    [time, "--json"],
    ["2026-11-30"],
    ["03:00"],
    [evil],
    [time, "--session", evil],
    [time, "--page", evil],
  ],
  preview: [[], ["--session", evil], ["--session", "none"], ["--transcript", evilName], ["--transcript", evil]],
  search: [
    ["EVIL"],
    ["e", "--all"],
    ["e", "--json"],
    [evil],
    ["e", "--kind", evil],
    ["e", "--session", evil],
    ["e", "--since", evil],
  ],
  doctor: [[], ["--json"], ["--claude", evil]],
  uninstall: [["--dry-run"], ["--dry-run", "--purge"], ["--dry-run", "--claude", evil]],
  sessions: [[], ["--json"], ["--limit", evil]],
  link: [[evil], ["none"], []],
  unlink: [[]],
  fresh: [[]],
  restore: [[], [evil], ["none"], ["--block", evil]],
  config: [
    [],
    ["--json"],
    ["path"],
    ["get", evil],
    ["set", evil, evil],
    ["set", "language", evil],
    ["unset", evil],
    [evil],
  ],
  off: [[]],
  on: [[]],
  summarize: [["--dry-run"], []],
  forget: [
    ["03:00", "--dry-run"],
    [evil],
    ["--match", "EVIL", "--dry-run"],
    ["--match", evil],
    ["--session", evil],
    ["--project", evil],
  ],
  import: [["--yes"], ["--yes", "--json", evilName], ["--dry-run"], [evil], ["--yes", "export.jsonl"]],
  export: [[], ["--all"], ["--session", evil], ["--project", evil], ["--transcript", evilName]],
  completions: [["bash"], [evil]],
  db: [
    ["prune", "--older-than", evil],
    ["prune", "--max-size", evil],
    ["check"],
    ["backup"],
    ["restore"],
    ["repair"],
    ["restore", evil],
    ["backup", evilName],
    [evil],
  ],
  view: [[evil], ["--port", evil], ["--idle", evil], ["--no-open", "--idle", "0.01"]],
  statusline: [[], [evil]],
  demo: [],
};

test("the table has every command", () => {
  expect(Object.keys(calls).sort()).toEqual(Object.keys(examples).sort());
});

test("no command prints a control sequence of what is stored, of paths, names or its own arguments", async () => {
  using home = tempHome();
  const folder = join(home.project, evilName);
  mkdirSync(folder);
  const transcript = new TranscriptBuilder(evil);
  transcript.prompt(evil);
  transcript.tool(evil, { [evil]: evil }, evil);
  transcript.raw(JSON.stringify({ type: evil })).raw(evil.replaceAll("\n", ""));
  transcript.say(evil);
  const file = join(folder, evilName);
  writeFileSync(file, transcript.text);
  const event = { session_id: evil, transcript_path: file, cwd: folder };
  const vars = { CLAUDE_PROJECT_DIR: folder };
  expect((await report(home, "Stop", event, vars)).stderr).toBe("");
  expect((await report(home, "SessionEnd", { ...event, reason: evil }, vars)).stderr).toBe("");
  await report(home, "Stop", { ...event, session_id: `other${evil}`, transcript_path: `/nowhere/${evil}` }, vars);
  spoil(databaseFile(home.env()));
  writeFileSync(join(folder, "export.jsonl"), `{"type":"export","version":1}\n{"type":"turn","${evil}":1}\n`);
  mkdirSync(join(home.folder, ".claude/projects/-x"), { recursive: true });
  writeFileSync(join(home.folder, ".claude/projects/-x", "s.jsonl"), transcript.text);
  writeFileSync(
    join(home.folder, ".throughline/config.json"),
    JSON.stringify({ [evil]: evil, projects: { [evil]: 1 } }),
  );
  writeFileSync(join(home.folder, ".claude/settings.json"), `{"${evil}`);

  let shown = 0;
  for (const [name, variants] of Object.entries(calls)) {
    for (const args of [...variants, ["--help"], [`--${evil}`]]) {
      for (const session of [undefined, evil]) {
        const asked = { ...vars, ...(session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session }) };
        const ran = await runProgram(home, [name, ...args], { cwd: folder, vars: asked });
        expect([name, ...args, control.exec(ran.stdout + ran.stderr)?.[0]]).toEqual([name, ...args, undefined]);
        expect(ran.code).toBeLessThan(3);
        shown += Number(ran.stdout.includes("xy"));
      }
    }
  }
  // The texts are there, without what was in them.
  expect(shown).toBeGreaterThan(10);
  expect((await runProgram(home, [evil])).stderr).not.toMatch(control);
}, 300_000);

test("the hooks' own words have none", async () => {
  using home = tempHome();
  const ran = await report(home, "Stop", { transcript_path: `/nowhere/${evil}` });
  expect(ran.code).toBe(1);
  expect(ran.stderr.trimEnd()).not.toMatch(control);
  const start = await report(home, "SessionStart", { session_id: "next" });
  expect(JSON.parse(start.stdout).systemMessage).toContain("the transcript is missing");
  expect(JSON.parse(start.stdout).systemMessage).not.toMatch(control);
});

test("JSON says the same with those signs as escapes", () => {
  const value = { [evil]: [evil, "\u2028 é 認証 👍🏽 \ud800"] };
  expect(JSON.parse(printableJson(value))).toEqual(value);
  expect(printableJson(value)).not.toMatch(control);
});

test("what is no control sequence is shown as it is", () => {
  const text = "a\tb\n認証 é e\u0301 👩‍👩‍👧‍👦 \u200bنیم‌فاصله\u200f | ─ █";
  expect(printable(text)).toBe(text);
});

/** What the hooks clean on its way in is put back: a store may come from elsewhere. */
function spoil(file: string): void {
  using db = openStore(file);
  const with_ = (column: string) => `${column} = ${column} || $evil`;
  for (const [table, columns] of Object.entries({
    messages: ["text"],
    sessions: ["end_reason", "transcript_path", "entrypoint"],
    failures: ["message", "event"],
    turns: ["model", "cwd"],
  })) {
    db.query(`update ${table} set ${columns.map(with_).join(", ")}`).run({ evil });
  }
  for (const { id } of db.query<{ id: number }, []>("select id from turns").all()) {
    const spoilt = readDetails(db, id).map((detail) => ({ ...detail, tool: `${detail.tool}${evil}`, output: evil }));
    replaceDetails(db, id, spoilt);
  }
  db.query("insert into summaries select id, $evil, $evil, 5 from turns limit 1").run({ evil });
  db.query("update checkpoints set skipped = $skipped").run({ skipped: JSON.stringify({ [evil]: 3 }) });
}
