import { expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { configFile, dataFolder } from "../../src/paths.ts";
import { keys } from "../../src/settings.ts";
import { Window } from "../support/claude.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { runIn } from "../support/ran.ts";

const call = (home: TempHome, ...args: string[]) => runIn(home, undefined, ...args);
const text = (home: TempHome): string => readFileSync(configFile(home.env()), "utf8");
const read = (home: TempHome): unknown => JSON.parse(text(home));

function write(home: TempHome, value: string): void {
  mkdirSync(dataFolder(home.env()), { recursive: true });
  writeFileSync(configFile(home.env()), value);
}

/** What a command said that went well, without the folders of this run. */
async function said(home: TempHome, ...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await call(home, ...args);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  return stdout.replaceAll(home.project, "PROJECT").replaceAll(home.folder, "HOME");
}

test("config lists each setting with its value, default and origin, and makes no file", async () => {
  using home = tempHome();
  expect(await said(home, "config")).toMatchInlineSnapshot(`
    "setting              value                      default                    from     allowed
    capture              on                         on                         default  on, off. Whether anything is stored
    inherit              project                    project                    default  project, clear, off. What a new session may continue: the project's newest too, only its own window's, nothing
    headless             off                        off                        default  on, off. Whether sessions that nobody attends (claude -p) count
    restore_parts        8                          8                          default  0 to 8. How many parts of 9,900 characters Claude is told at most; 0 tells nothing
    language             auto                       auto                       default  auto, en, ja. The language around the conversation; auto is the conversation's own
    worktrees            apart                      apart                      default  apart, together. Whether a repository's worktrees continue each other
    mask                 on                         on                         default  on, off. Whether keys, tokens and passwords in tool traffic, lines and exports are stored as [masked: …]
    mask_conversation    off                        off                        default  on, off. Whether they are masked in what was said, too
    mask_patterns        []                         []                         default  a list of regular expressions. More of what is to be masked
    backups              2                          2                          default  0 to 10. How many weekly backups of the database are kept
    prune_after          0                          0                          default  0 to 36500. Days after which turns are deleted; 0 keeps them for ever
    prune_details_after  0                          0                          default  0 to 36500. Days after which what tools said is deleted; 0 keeps it for ever
    max_size             0                          0                          default  0 to 1000000. MB that the database may have before its oldest goes; 0 is no bound
    summaries            login                      login                      default  login, any, off. Whose account writes one line for each older turn: your Claude login, whatever your client uses, nobody's
    summaries_per_day    200                        200                        default  0 to 10000. How many turns a day may be sent for a line
    summary_model        claude-haiku-4-5-20251001  claude-haiku-4-5-20251001  default  a model's name. The model that writes the lines
    claude                                                                     default  a path, or nothing to look for it. Where the claude program is that asks the model

    config.json   HOME/.throughline/config.json
    this project  PROJECT
    "
  `);
  expect(await said(home, "config", "path")).toBe("HOME/.throughline/config.json\n");
  expect(existsSync(dataFolder(home.env()))).toBe(false);
});

test("set and unset, everywhere and for this project: get and list say what holds and why", async () => {
  using home = tempHome();
  expect(await said(home, "config", "set", "restore_parts", "3")).toBe("restore_parts is 3 everywhere.\n");
  expect(await said(home, "config", "set", "--project", "restore_parts", "0")).toBe(
    "restore_parts is 0 in the project PROJECT.\n",
  );
  expect(await said(home, "config", "set", "language", "ja")).toBe("language is ja everywhere.\n");
  expect(text(home).replace(home.project, "PROJECT")).toMatchInlineSnapshot(`
    "{
      "restore_parts": 3,
      "projects": {
        "PROJECT": {
          "restore_parts": 0
        }
      },
      "language": "ja"
    }
    "
  `);
  expect(statSync(configFile(home.env())).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataFolder(home.env()))).toEqual(["config.json"]);
  expect(await said(home, "config", "get", "restore_parts")).toBe("0\n");
  expect(await said(home, "config", "set", "restore_parts", "4")).toBe(
    "restore_parts is 4 everywhere. This project has its own, 0: `throughline config unset restore_parts --project`\n",
  );
  const { file, project, settings } = JSON.parse((await call(home, "config", "list", "--json")).stdout);
  expect({ file, project }).toEqual({ file: configFile(home.env()), project: home.project });
  expect(settings.map((setting: { key: string }) => setting.key)).toEqual(keys);
  const byKey = Object.fromEntries(settings.map((setting: { key: string }) => [setting.key, setting]));
  expect(byKey.restore_parts).toMatchObject({ value: 0, default: 8, from: "this project", allowed: "0 to 8" });
  expect(byKey.language).toMatchObject({ value: "ja", default: "auto", from: "config.json" });
  expect(byKey.capture).toMatchObject({ value: "on", default: "on", from: "default" });

  expect(await said(home, "config", "unset", "restore_parts", "--project")).toBe(
    "restore_parts is no longer set in the project PROJECT: it is 4 in this project.\n",
  );
  expect(await said(home, "config", "unset", "restore_parts", "--project")).toBe(
    "restore_parts was not set in the project PROJECT.\n",
  );
  expect(await said(home, "config", "unset", "restore_parts")).toBe(
    "restore_parts is no longer set everywhere: it is 8 in this project.\n",
  );
  expect(read(home)).toEqual({ language: "ja" });
});

test("what the file says besides is kept, and a link stays one", async () => {
  using home = tempHome();
  const before = { mine: [1, 2], projects: { "/elsewhere": { capture: "off", theirs: 1 } } };
  mkdirSync(dataFolder(home.env()));
  const target = join(home.folder, "dotfile.json");
  writeFileSync(target, JSON.stringify(before));
  symlinkSync(target, configFile(home.env()));
  await said(home, "config", "set", "headless", "on");
  await said(home, "config", "set", "inherit", "clear", "--project");
  expect(read(home)).toEqual({
    ...before,
    headless: "on",
    projects: { ...before.projects, [home.project]: { inherit: "clear" } },
  });
  expect(lstatSync(configFile(home.env())).isSymbolicLink()).toBe(true);
  await said(home, "config", "unset", "inherit", "--project");
  expect(read(home)).toEqual({ ...before, headless: "on" });
});

test("a project that the person wrote in another way gets no second entry", async () => {
  using home = tempHome();
  write(home, JSON.stringify({ projects: { [`${home.project}/`]: { language: "ja" } } }));
  await said(home, "config", "set", "capture", "off", "--project");
  expect(read(home)).toEqual({ projects: { [`${home.project}/`]: { language: "ja", capture: "off" } } });
});

test.each([
  [["config", "set", "capture", "maybe"], 'capture is not "maybe"; allowed: on, off'],
  [["config", "set", "restore_parts", "9"], 'restore_parts is not "9"; allowed: 0 to 8'],
  [["config", "set", "restore_parts", ""], 'restore_parts is not ""; allowed: 0 to 8'],
  [["config", "set", "captrue", "on"], "captrue is no setting; allowed: capture, inherit,"],
  [["config", "set", "projects", "x"], "projects is no setting"],
  [["config", "get", "toString"], "toString is no setting"],
  [["config", "unset", "captrue"], "captrue is no setting"],
  [["config", "unset", "projects"], "projects is no setting"],
  [["config", "set", "capture"], "config set takes KEY VALUE [--project]"],
  [["config", "get"], "config get takes KEY"],
  [["config", "get", "capture", "--project"], "config get takes KEY"],
  [["config", "path", "capture"], "config path takes nothing more"],
  [["config", "capture"], 'config takes list, get, set, unset, path, not "capture"'],
  [["config", "set", "capture", "on", "off"], "off is not among what the command takes"],
  [["off", "now"], "now is not among what the command takes"],
])("%p is bad input: one line that says what is allowed, exit code 2, nothing written", async (args, why) => {
  using home = tempHome();
  write(home, '{"projects": {}}');
  const { stdout, stderr, code } = await call(home, ...args);
  expect(stderr).toContain(why);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  expect(text(home)).toBe('{"projects": {}}');
});

test("a wrong file is an error of the commands that need the settings; set and unset repair a wrong key", async () => {
  using home = tempHome();
  write(home, '{"captrue": "off", "restore_parts": 9}');
  for (const args of [["config"], ["config", "get", "capture"]]) {
    const { stdout, stderr, code } = await call(home, ...args);
    expect(stderr).toContain(`${configFile(home.env())}: captrue is no setting; allowed: capture, inherit,`);
    expect(stderr).toContain(`${configFile(home.env())}: restore_parts is 9; allowed: 0 to 8`);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  }
  await said(home, "config", "set", "restore_parts", "8");
  expect(await said(home, "config", "unset", "captrue")).toBe("captrue is no longer set everywhere.\n");
  expect(await said(home, "config", "get", "capture")).toBe("on\n");
});

test("a file that is no JSON is left alone by every command", async () => {
  using home = tempHome();
  write(home, "{ capture: off }");
  for (const args of [
    ["config"],
    ["config", "set", "capture", "off"],
    ["config", "unset", "capture"],
    ["off"],
    ["on"],
  ]) {
    const { stdout, stderr, code } = await call(home, ...args);
    expect(stderr).toStartWith(`throughline: ${configFile(home.env())} is no JSON: `);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  }
  expect(text(home)).toBe("{ capture: off }");
});

test("off and on: said, done, and said again when it is so already", async () => {
  using home = tempHome();
  await said(home, "config", "set", "language", "ja", "--project");
  expect(await said(home, "off")).toBe(
    "Throughline is off in PROJECT: nothing more is stored and new sessions are told nothing. What is stored stays. `throughline on` switches it on again.\n",
  );
  expect(read(home)).toEqual({ projects: { [home.project]: { language: "ja", capture: "off", inherit: "off" } } });
  expect(await said(home, "off")).toStartWith("Throughline is already off in PROJECT");
  expect(await said(home, "on")).toStartWith("Throughline is on again in PROJECT.");
  expect(read(home)).toEqual({ projects: { [home.project]: { language: "ja" } } });
  expect(await said(home, "on")).toBe("Throughline is already on in PROJECT.\n");
});

test("on takes away what is off and nothing else, and says what is off everywhere", async () => {
  using home = tempHome();
  await said(home, "config", "set", "inherit", "clear", "--project");
  await said(home, "config", "set", "capture", "off", "--project");
  await said(home, "config", "set", "capture", "off");
  expect(await said(home, "on")).toBe(
    "Throughline is not switched off for PROJECT alone, but everywhere: `throughline config unset capture`.\n",
  );
  expect(read(home)).toEqual({ capture: "off", projects: { [home.project]: { inherit: "clear" } } });
});

test("in the chat it is the session's project that is switched off, wherever the shell has gone", async () => {
  using home = tempHome();
  const vars = { ...home.env().vars, CLAUDE_PROJECT_DIR: join(home.folder, "its-own") };
  await new Window(home, 100, { vars }).start("a", "startup");
  expect((await runIn(home, "a", "off")).stdout).toContain(join(home.folder, "its-own"));
  expect(read(home)).toEqual({ projects: { [join(home.folder, "its-own")]: { capture: "off", inherit: "off" } } });
});
