import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStoreReadonly } from "../../src/store/open.ts";
import { allDetails } from "../support/details.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const first = "11111111-0000-4000-8000-000000000000";
const second = "22222222-0000-4000-8000-000000000000";
/** Words that stand in one turn alone, each in another layer of it. */
const secrets = ["zebraprompt秘密", "zebraanswer記憶", "zebraoutput設定", "zebraline合言葉"] as const;

interface Scene extends Disposable {
  home: TempHome;
  data: string;
  transcript: string;
  run(args: string[], stdin?: string): { stdout: string; stderr: string; code: number };
}

/** A home with five turns, the third of which is the secret one, told to a successor, indexed and backed up. */
function setScene(): Scene {
  const home = tempHome();
  const data = join(home.folder, ".throughline");
  const projects = join(home.folder, ".claude/projects/p");
  mkdirSync(projects, { recursive: true });
  const transcript = join(projects, `${first}.jsonl`);
  const builder = new TranscriptBuilder(first);
  for (let n = 1; n <= 5; n += 1) {
    const isSecret = n === 3;
    builder.prompt(isSecret ? `Keep this to yourself: ${secrets[0]}` : `Question ${n} about the parser`);
    builder.tool("Bash", { command: "cat" }, isSecret ? `${secrets[2]} `.repeat(60) : `output ${n}`);
    builder.say(isSecret ? `I will: ${secrets[1]}` : `Answer ${n} about the parser`);
  }
  writeFileSync(transcript, builder.text);
  const vars = { ...varsOf(home), CLAUDE_PROJECT_DIR: home.project, CLAUDE_CODE_SESSION_ATTENDED: "1" };
  const run = (args: string[], stdin = "") => {
    const ran = Bun.spawnSync([binary, ...args], { cwd: home.project, env: vars, stdin: Buffer.from(stdin) });
    return { stdout: ran.stdout.toString(), stderr: ran.stderr.toString(), code: ran.exitCode };
  };
  const scene = { home, data, transcript, run, [Symbol.dispose]: () => home[Symbol.dispose]() };
  stop(scene);
  {
    using db = new Database(join(data, "memory.db"));
    const { id } = db.query("select turn_id as id from messages where text like '%zebraprompt%'").get() as {
      id: number;
    };
    db.query("insert into summaries (turn_id, text, model, created_at) values (?, ?, 'm', 1)").run(id, secrets[3]);
  }
  const event = { transcript_path: transcript, cwd: home.project };
  run(
    ["hook", "session-end"],
    JSON.stringify({ ...event, session_id: first, hook_event_name: "SessionEnd", reason: "clear" }),
  );
  const start = {
    ...event,
    session_id: second,
    transcript_path: null,
    hook_event_name: "SessionStart",
    source: "startup",
  };
  expect(run(["hook", "session-start", "--part", "1"], JSON.stringify(start)).stdout).toContain(secrets[1]);
  expect(run(["db", "backup"]).code).toBe(0);
  return scene;
}

function stop({ run, transcript, home }: Pick<Scene, "run" | "transcript" | "home">): void {
  const event = { session_id: first, transcript_path: transcript, cwd: home.project, hook_event_name: "Stop" };
  expect(run(["hook", "stop"], JSON.stringify(event))).toEqual({ stdout: "", stderr: "", code: 0 });
}

/** Which of the words are in some byte of the files there, or in some packed text. */
function wordsIn({ data }: Scene, words: readonly string[] = secrets): string[] {
  const files = readdirSync(data, { recursive: true, encoding: "utf8" })
    .map((name) => join(data, name))
    .filter((path) => statSync(path).isFile());
  const bytes = files.map((path) => readFileSync(path));
  using db = openStoreReadonly(join(data, "memory.db"));
  const packed = db ? JSON.stringify(allDetails(db)) : "";
  return words.filter((word) => packed.includes(word) || bytes.some((one) => one.includes(word)));
}

const turnsIn = ({ run }: Scene): number => JSON.parse(run(["status", "--json"]).stdout).project?.turns ?? 0;

const forgetThird = ["forget", "--match", "zebraprompt", "--yes"];

test("what goes is shown first, and nothing is changed without an answer", () => {
  using scene = setScene();
  expect(wordsIn(scene)).toEqual([...secrets]);
  const dry = scene.run(["forget", "--match", "zebraprompt", "--dry-run"]);
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toContain("1 turn of 1 session");
  expect(dry.stdout).toContain(`Keep this to yourself: ${secrets[0]}`);
  expect(scene.run(["forget", "--match", "zebraprompt"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--yes"),
  });
  expect(turnsIn(scene)).toBe(5);
});

describe("forgotten words are in no byte, whatever is done then", () => {
  function forgotten(): Scene {
    const scene = setScene();
    scene.run(["worker", "index"]);
    const done = scene.run(forgetThird);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain(scene.transcript);
    expect(wordsIn(scene)).toEqual([]);
    expect(turnsIn(scene)).toBe(4);
    return scene;
  }

  test("the other turns stay, the backup is made anew, a search finds nothing", () => {
    using scene = forgotten();
    expect(wordsIn(scene, ["Question 2 about the parser", "Answer 4 about the parser"])).toHaveLength(2);
    expect(readdirSync(join(scene.data, "backups"))).toHaveLength(1);
    expect(scene.run(["search", "zebraanswer", "--all"]).stdout).toContain("No turn has");
    expect(scene.run(["db", "check"])).toMatchObject({ code: 0 });
    expect(scene.run(["preview"]).stdout).toContain("Answer 5 about the parser");
  });

  test("the transcript is read again: by the next Stop, by an import, from its beginning", () => {
    using scene = forgotten();
    stop(scene);
    scene.run(["import", "--yes"]);
    {
      using db = new Database(join(scene.data, "memory.db"));
      db.run("delete from checkpoints");
    }
    stop(scene);
    expect(scene.run(["import", "--yes"]).code).toBe(0);
    expect([wordsIn(scene), turnsIn(scene)]).toEqual([[], 4]);
  });

  test("more is said in the forgotten turn, and then in the next one", () => {
    using scene = setScene();
    expect(scene.run(["forget", "--session", first.slice(0, 8), "--yes"]).code).toBe(0);
    const builder = new TranscriptBuilder(first);
    for (const line of readFileSync(scene.transcript, "utf8").trim().split("\n")) builder.raw(line);
    builder.say("still about zebraanswer記憶");
    const more = new TranscriptBuilder(first, Date.UTC(2026, 10, 30, 15), 1_000, "f");
    more.prompt("And now something else");
    more.say("Gladly");
    writeFileSync(scene.transcript, builder.text + more.text);
    stop(scene);
    expect(wordsIn(scene)).toEqual([]);
    expect([turnsIn(scene), wordsIn(scene, ["And now something else", "Gladly"])]).toEqual([
      1,
      ["And now something else", "Gladly"],
    ]);
  });

  test("an older backup is restored, an older export imported", () => {
    using scene = setScene();
    const kept = join(scene.home.folder, "kept.db");
    const exported = join(scene.home.folder, "kept.jsonl");
    expect(scene.run(["db", "backup", kept]).code).toBe(0);
    writeFileSync(exported, scene.run(["export", "--all"]).stdout);
    expect(scene.run(forgetThird).code).toBe(0);
    expect(scene.run(["import", "--yes", exported])).toMatchObject({ code: 0 });
    expect([wordsIn(scene), turnsIn(scene)]).toEqual([[], 4]);
    expect(scene.run(["db", "restore", kept, "--yes"])).toMatchObject({ code: 0 });
    expect([wordsIn(scene), turnsIn(scene)]).toEqual([[], 4]);
  });

  test("the database is damaged and repaired", () => {
    using scene = forgotten();
    copyFileSync(scene.transcript, join(scene.home.folder, "copy.jsonl"));
    writeFileSync(join(scene.data, "memory.db"), "no database at all, not one page of it");
    expect(scene.run(["db", "repair"])).toMatchObject({ code: 0 });
    expect([wordsIn(scene), turnsIn(scene)]).toEqual([[], 4]);
  });

  test("the store is deleted and made anew", () => {
    using scene = forgotten();
    for (const name of readdirSync(scene.data)) {
      if (name !== "forgotten") Bun.spawnSync(["rm", "-rf", join(scene.data, name)]);
    }
    stop(scene);
    expect([wordsIn(scene), turnsIn(scene)]).toEqual([[], 4]);
  });
});

test.each([
  ["a time", ["13:00:13"], 4],
  ["a minute's newest turn", ["13:00"], 4],
  ["a range", ["13:00:05-13:00:12"], 3],
  ["a day", ["2026-11-30"], 0],
  ["a session", ["--session", first], 0],
  ["words in a session", ["--session", first, "--match", "parser"], 1],
] as const)("%s", (_, args, left) => {
  using scene = setScene();
  expect(scene.run(["forget", ...args, "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(turnsIn(scene)).toBe(left);
});

test("a project goes with its name", () => {
  using scene = setScene();
  expect(scene.run(["forget", "--project", scene.home.project, "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(wordsIn(scene, [...secrets, scene.home.project, "parser"])).toEqual([]);
});

test.each([
  [[], "forget takes"],
  [["tomorrow"], "is no time"],
  [["13:00", "--match", "x"], "not both"],
  [["13:00", "--session", first], "takes one of"],
  [["--session", "none"], "no session none"],
  [["--match", "-only"], "--match takes words"],
] as const)("%j is refused with what to do", (args, said) => {
  using scene = setScene();
  const ran = scene.run(["forget", ...args, "--yes"]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(said);
  expect(turnsIn(scene)).toBe(5);
});
