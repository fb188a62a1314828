import { describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { dumpStore } from "../support/dump.ts";
import { fillStore, openFile, runExport } from "../support/exported.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { linksOf } from "../support/imported.ts";
import { binary, runIn, varsOf } from "../support/ran.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const day = new Date(Date.UTC(2026, 9, 1));

/** Writes a session's transcript, last written to long ago. */
function writeSession(
  folder: string,
  session: string,
  turns: number,
  change: Record<string, unknown> = {},
  hours = 0,
): string {
  const transcript = new TranscriptBuilder(session, Date.UTC(2026, 8, 1, hours) + turns, 1_000, `${session}-`);
  for (let n = 1; n <= turns; n += 1) {
    transcript.prompt(`${session}: question ${n}`);
    transcript.tool("Bash", { command: "cat log" }, `row ${n} of ${session}\n`.repeat(40));
    transcript.say(`answer ${n}`);
  }
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${session}.jsonl`);
  writeFileSync(
    file,
    transcript.lines.map((line) => `${JSON.stringify({ ...JSON.parse(line), ...change })}\n`).join(""),
  );
  utimesSync(file, day, day);
  return file;
}

const projects = (home: TempHome): string => join(home.folder, ".claude/projects");

function writeClient(home: TempHome): void {
  for (const n of [1, 2, 3])
    writeSession(join(projects(home), `-projects-${n % 2}`), `session-${n}`, n, { cwd: `/projects/${n % 2}` });
  writeSession(join(projects(home), "-work-1/session-1/subagents"), "agent-a1", 2, { isSidechain: true });
  writeSession(join(projects(home), "-work-1"), "warm", 1, { isSidechain: true });
  writeSession(join(projects(home), "-work-1"), "program", 2, { entrypoint: "sdk-cli" });
  writeFileSync(join(projects(home), "-work-1/journal.jsonl"), '{"type":"started"}\n');
  writeFileSync(join(projects(home), "-work-1/empty.jsonl"), "");
  symlinkSync("..", join(projects(home), "-work-1/circle"));
}

const read = async (home: TempHome, ...args: string[]) => {
  const ran = await runIn(home, undefined, "import", "--json", ...args);
  expect(ran).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout);
};

const leftOut = { "of a sub-agent": 2, "nobody attended it (headless)": 1, "no conversation in it": 1, empty: 1 };

describe("import", () => {
  test("says what it will do, reads all transcripts of the client, and ends with a table", async () => {
    using home = tempHome();
    writeClient(home);
    const dry = await runIn(home, undefined, "import", "--dry-run");
    expect(dry.stderr).toStartWith("Would import: 3 transcripts, ");
    expect(dry.stderr).toContain("about 1 s; no model calls\n  left out: ");
    expect(existsSync(join(home.folder, ".throughline"))).toBe(false);

    const { stdout, stderr, code } = await runIn(home, undefined, "import");
    expect({ code, first: stderr.split(",")[0] }).toEqual({ code: 0, first: "To import: 3 transcripts" });
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((row) => row.replace(/[\d.]+ (kB|MB|s).*/, "…"));
    expect(rows.slice(0, 5)).toEqual([
      "Files         3",
      "Sessions      3 read, 3 new",
      "Turns         6 new",
      "Read          …",
      "Time          …",
    ]);
    expect(rows.slice(5).sort()).toEqual(
      Object.entries(leftOut)
        .map(([why, n]) => `Left out      ${n}: ${why}`)
        .sort(),
    );
    using db = openFile(home);
    const sessions = db
      .query(
        "select uuid, path, ended_at = active_at as ended, end_reason, headless from sessions join projects on projects.id = project_id order by uuid",
      )
      .all();
    expect(sessions).toEqual(
      [1, 2, 3].map((n) => ({
        uuid: `session-${n}`,
        path: `/projects/${n % 2}`,
        ended: 1,
        end_reason: "imported",
        headless: 0,
      })),
    );
    const again = await read(home);
    expect(again).toMatchObject({ sessions: 3, new_sessions: 0, new_turns: 0, left_out: leftOut });
  });

  test("headless sessions count where the setting says so; projects that are switched off do not", async () => {
    using home = tempHome();
    writeClient(home);
    mkdirSync(join(home.folder, ".throughline"));
    const config = join(home.folder, ".throughline/config.json");
    writeFileSync(config, '{"projects":{"/projects/1":{"capture":"off"}}}');
    expect(await read(home)).toMatchObject({ sessions: 1, left_out: { "of a project that is switched off": 2 } });
    writeFileSync(config, '{"headless":"on"}');
    expect(await read(home)).toMatchObject({ sessions: 4, new_turns: 6 });
    using db = openFile(home);
    expect(db.query("select uuid from sessions where headless = 1").all()).toEqual([{ uuid: "program" }]);
  });

  test("CLAUDE_CONFIG_DIR; a file written to just now is of a session that may run", async () => {
    using home = tempHome();
    const file = writeSession(join(home.folder, "other client/projects/p"), "running", 2);
    utimesSync(file, new Date(), new Date());
    const child = Bun.spawn([binary, "import"], {
      cwd: home.project,
      env: { ...varsOf(home), CLAUDE_CONFIG_DIR: join(home.folder, "other client") },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await child.exited).toBe(0);
    using db = openFile(home);
    expect(db.query("select uuid, ended_at from sessions").all()).toEqual([{ uuid: "running", ended_at: null }]);
  });

  test.each([
    ["tar -czf kept.tgz", "kept.tgz"],
    ["tar -cf kept.tar", "kept.tar"],
    ["zip -qry kept.zip", "kept.zip"],
  ])("an archive made by %s, twice", async (make, name) => {
    using home = tempHome();
    writeClient(home);
    await Bun.$`sh -c ${`${make} .claude/projects`}`.cwd(home.folder).quiet();
    using other = tempHome();
    expect(await read(other, join(home.folder, name))).toMatchObject({ sessions: 3, new_turns: 6, left_out: leftOut });
    expect(readdirSync(join(other.folder, ".throughline")).sort()).toEqual(["memory.db", "search.db"]);
    expect(await read(other, join(home.folder, name))).toMatchObject({ sessions: 3, new_turns: 0, left_out: leftOut });
    using db = openFile(other);
    expect(db.query("select count(transcript_path) as n from sessions").get()).toEqual({ n: 0 });
  });

  test("an older copy of a transcript adds nothing and does not make the next event read again", async () => {
    using home = tempHome();
    const file = writeSession(join(projects(home), "p"), "grown", 4);
    const copy = join(home.folder, "kept/grown.jsonl");
    cpSync(file, copy);
    writeFileSync(copy, readFileSync(file, "utf8").split("\n").slice(0, 5).join("\n"));
    await read(home);
    expect(await read(home, copy)).toMatchObject({ left_out: { "a copy of one that is read": 1 }, new_turns: 0 });
    expect(await read(home, copy, file)).toMatchObject({ left_out: { "a copy of another": 1 }, sessions: 1 });
    using db = openFile(home);
    expect(db.query("select path from checkpoints").all()).toEqual([{ path: file }]);
  });

  test("an export through a pipe; a bad file is one line, exit code 2", async () => {
    using home = tempHome();
    using other = tempHome();
    await fillStore(home);
    writeFileSync(join(home.folder, "export.jsonl"), (await runExport(home, "--all")).stdout);
    const shell = `"${binary}" import --json - < "$FROM"`;
    const child = Bun.spawn(["/bin/sh", "-c", shell], {
      cwd: other.project,
      env: { ...varsOf(other), FROM: join(home.folder, "export.jsonl") },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({ new_sessions: 3, new_turns: 6 });
    const rest = async (of: TempHome) => (await runExport(of, "--all")).stdout.split("\n").slice(1);
    expect(await rest(other)).toEqual(await rest(home));

    writeFileSync(join(home.folder, "bad.zip"), "PK\u0003\u0004 no");
    for (const [path, why] of [
      ["nowhere", "there is no nowhere"],
      [join(home.folder, "bad.zip"), "cannot be unpacked"],
    ] as const) {
      const ran = await runIn(other, undefined, "import", path);
      expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
    }
  });

  test("the earlier program's database beside our own is read too, and its hooks are named with what removes them", async () => {
    using home = tempHome();
    mkdirSync(join(home.folder, ".throughline"));
    mkdirSync(join(home.folder, ".claude"));
    cpSync(join(import.meta.dir, "../fixtures/legacy/v9.db"), join(home.folder, ".throughline/throughline.db"));
    const hooks = (command: string) => ({ hooks: [{ type: "command", command }] });
    const settings = {
      hooks: { Stop: [hooks("npx throughline process-turn"), hooks('"/x/throughline" hook stop'), hooks("lint")] },
    };
    writeFileSync(join(home.folder, ".claude/settings.json"), JSON.stringify(settings));
    mkdirSync(join(home.project, ".claude"));
    writeFileSync(join(home.project, ".claude/settings.local.json"), "{ broken");
    const ran = await runIn(home, undefined, "import");
    expect(ran.stdout).toContain("Turns         10 new");
    expect(ran.stderr).toEndWith(
      `both at once would tell everything twice:\n  ${home.folder}/.claude/settings.json, Stop: npx throughline process-turn\n\`throughline doctor --fix\` takes them out and keeps a copy of the file.\n`,
    );
  });
});

/** Enough to be interrupted in: so many files of about 400 kB. */
function writeMuch(home: TempHome, files: number): void {
  for (let n = 0; n < files; n += 1) {
    const cleared = n % 3 === 1;
    const file = writeSession(join(projects(home), "p"), `much-${n}`, 100 + n, {}, n);
    if (!cleared) continue;
    const first = JSON.parse(readFileSync(file, "utf8").split("\n")[0] as string);
    const command = {
      ...first,
      uuid: `clear-${n}`,
      message: { role: "user", content: "<command-name>/clear</command-name>" },
    };
    writeFileSync(file, `${JSON.stringify(command)}\n${readFileSync(file, "utf8")}`);
    utimesSync(file, day, day);
  }
}

const start = (home: TempHome, ...paths: string[]) =>
  Bun.spawn([binary, "import", ...paths], {
    cwd: home.project,
    env: varsOf(home),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

describe("an import that ends early", () => {
  test("killed anywhere, again and again, and gone on with: the same store", async () => {
    using home = tempHome();
    using whole = tempHome();
    writeMuch(home, 12);
    cpSync(join(home.folder, ".claude"), join(whole.folder, ".claude"), { recursive: true, preserveTimestamps: true });
    const began = performance.now();
    expect(await start(whole).exited).toBe(0);
    const time = performance.now() - began;
    for (let n = 1; n <= 8; n += 1) {
      const child = start(home);
      await Bun.sleep((time * n) / 9);
      child.kill("SIGKILL");
      await child.exited;
    }
    expect(await start(home).exited).toBe(0);
    using one = openFile(home);
    using two = openFile(whole);
    expect(linksOf(two).length).toBeGreaterThan(1);
    expect(dumpStore(one)).toEqual(dumpStore(two));
    expect(linksOf(one)).toEqual(linksOf(two));
  }, 60_000);

  test.each(["export.jsonl", "kept.tar.gz", "throughline.db"])(
    "killed anywhere while it reads %s",
    async (name) => {
      using home = tempHome();
      writeMuch(home, 6);
      const path = join(home.folder, name);
      if (name === "kept.tar.gz") await Bun.$`tar -czf ${path} .claude`.cwd(home.folder).quiet();
      if (name === "throughline.db") cpSync(join(import.meta.dir, "../fixtures/legacy/v9.db"), path);
      if (name === "export.jsonl") {
        expect(await start(home).exited).toBe(0);
        writeFileSync(path, (await runExport(home, "--all")).stdout);
      }
      using whole = tempHome();
      using parts = tempHome();
      const began = performance.now();
      expect(await start(whole, path).exited).toBe(0);
      const time = performance.now() - began;
      for (let n = 1; n <= 6; n += 1) {
        const child = start(parts, path);
        await Bun.sleep((time * n) / 7);
        child.kill("SIGKILL");
        await child.exited;
      }
      expect(await start(parts, path).exited).toBe(0);
      using one = openFile(parts);
      using two = openFile(whole);
      expect(dumpStore(one)).toEqual(dumpStore(two));
      expect(linksOf(one)).toEqual(linksOf(two));
    },
    60_000,
  );

  test("by the person: the exit code is 130, one line says how to go on, and it goes on there", async () => {
    using home = tempHome();
    writeMuch(home, 12);
    const child = start(home);
    const database = join(home.folder, ".throughline/memory.db");
    while (!existsSync(database)) await Bun.sleep(5);
    child.kill("SIGINT");
    const [stderr, code] = [await new Response(child.stderr).text(), await child.exited];
    expect({ code, said: stderr.split("\n").at(-2) }).toEqual({
      code: 130,
      said: "throughline: interrupted; what was read is stored. The same command goes on from here",
    });
    expect(await start(home).exited).toBe(0);
    using db = openFile(home);
    expect(db.query("select count(*) as n from sessions where end_reason = 'imported'").get()).toEqual({ n: 12 });
  }, 60_000);

  test("beside hooks: both end well", async () => {
    using home = tempHome();
    writeMuch(home, 8);
    const child = start(home);
    const live = writeSession(home.folder, "live", 3);
    const hooks: number[] = [];
    while (child.exitCode === null && hooks.length < 20) {
      const event = { session_id: "live", transcript_path: live, cwd: home.project, hook_event_name: "Stop" };
      const hook = Bun.spawn([binary, "hook", "stop"], {
        cwd: home.project,
        env: { ...varsOf(home), CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_PROJECT_DIR: home.project },
        stdin: new Blob([JSON.stringify(event)]),
        stderr: "inherit",
      });
      hooks.push(await hook.exited);
    }
    expect(await child.exited).toBe(0);
    expect(new Set(hooks)).toEqual(new Set([0]));
    using db = openFile(home);
    expect(db.query("select count(*) as n from sessions").get()).toEqual({ n: 9 });
  }, 60_000);
});
