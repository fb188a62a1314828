import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig, readSettings } from "../src/config.ts";
import { configFile, dataFolder } from "../src/paths.ts";
import { defaults } from "../src/settings.ts";
import { type TempHome, tempHome } from "./support/home.ts";

function write(home: TempHome, text: unknown): void {
  mkdirSync(dataFolder(home.env()), { recursive: true });
  writeFileSync(configFile(home.env()), typeof text === "string" ? text : JSON.stringify(text));
}

/** What holds, of what is not the default, and what is wrong, without the file's name. */
function read(home: TempHome, project = home.project) {
  const { config, origins, problems } = readSettings(home.env(), () => project);
  const set = Object.entries(config).filter(([key, value]) => value !== defaults[key as keyof typeof defaults]);
  for (const problem of problems) expect(problem).toStartWith(configFile(home.env()));
  return {
    set: Object.fromEntries(set),
    origins,
    problems: problems.map((problem) =>
      problem.slice(configFile(home.env()).length).replaceAll(home.project, "PROJECT"),
    ),
  };
}

function linked(project: string, link: string): string {
  symlinkSync(project, link);
  return link;
}

const allKeys =
  "capture, inherit, headless, restore_parts, language, worktrees, mask, mask_conversation, mask_patterns, backups, prune_after, prune_details_after, max_size, summaries, summaries_per_day, summary_model, claude";

describe("settings", () => {
  test("are the defaults where there is no file", () => {
    using home = tempHome();
    expect(read(home)).toEqual({ set: {}, origins: {}, problems: [] });
    expect(readConfig(home.env())).toEqual(defaults);
  });

  test("of a project win over those of every project, key by key", () => {
    using home = tempHome();
    write(home, {
      restore_parts: 3,
      language: "ja",
      projects: { [home.project]: { restore_parts: 0, capture: "off" } },
    });
    expect(read(home)).toEqual({
      set: { restore_parts: 0, language: "ja", capture: "off" },
      origins: { restore_parts: "this project", language: "config.json", capture: "this project" },
      problems: [],
    });
    expect(read(home, "/elsewhere").set).toEqual({ restore_parts: 3, language: "ja" });
    expect(readConfig(home.env())).toEqual({ ...defaults, restore_parts: 3, language: "ja" });
  });

  test.each([
    ["with a slash behind it", (project: string) => `${project}/`],
    ["through a link", linked],
    ["by a detour", (project: string) => `${project}/../project`],
  ])("of a project that is written %s count", (_, spell) => {
    using home = tempHome();
    write(home, { projects: { [spell(home.project, join(home.folder, "link"))]: { capture: "off" } } });
    expect(read(home)).toEqual({ set: { capture: "off" }, origins: { capture: "this project" }, problems: [] });
  });

  test("are read behind a byte order mark", () => {
    using home = tempHome();
    write(home, '\ufeff{"capture": "off"}');
    expect(read(home)).toMatchObject({ set: { capture: "off" }, problems: [] });
  });

  test("of another project are not looked at", () => {
    using home = tempHome();
    write(home, { projects: { "/elsewhere": { captrue: 1 } } });
    expect(read(home).problems).toEqual([]);
  });
});

describe("what is wrong names the file, the key and what is allowed, and the rest holds", () => {
  test.each([
    [{ captrue: "off" }, {}, [`: captrue is no setting; allowed: ${allKeys}`]],
    [{ capture: false, language: "ja" }, { language: "ja" }, [": capture is false; allowed: on, off"]],
    [{ restore_parts: 9 }, {}, [": restore_parts is 9; allowed: 0 to 8"]],
    [{ restore_parts: 1.5 }, {}, [": restore_parts is 1.5; allowed: 0 to 8"]],
    [{ restore_parts: "3" }, {}, [': restore_parts is "3"; allowed: 0 to 8']],
    [{ inherit: null, headless: "on" }, { headless: "on" }, [": inherit is null; allowed: project, clear, off"]],
    ['{"__proto__": {"capture": "off"}}', {}, [`: __proto__ is no setting; allowed: ${allKeys}`]],
    ['{"toString": 1}', {}, [`: toString is no setting; allowed: ${allKeys}`]],
    [{ "a\nb": 1 }, {}, [`: "a\\nb" is no setting; allowed: ${allKeys}`]],
    [
      { worktrees: "both", headless: "yes" },
      {},
      [': worktrees is "both"; allowed: apart, together', ': headless is "yes"; allowed: on, off'],
    ],
    [{ projects: [], capture: "off" }, { capture: "off" }, [": projects is []; allowed: an object of project folders"]],
    [{ projects: null }, {}, [": projects is null; allowed: an object of project folders"]],
    [{ projects: { "~/x": {} } }, {}, [': "~/x" in projects; allowed: absolute paths']],
    [[], {}, [" is []; allowed: a JSON object of settings"]],
    ["null", {}, [" is null; allowed: a JSON object of settings"]],
  ])("%j", (text, set, problems) => {
    using home = tempHome();
    write(home, text);
    expect(read(home)).toMatchObject({ set, problems });
    expect(() => readConfig(home.env())).toThrow(problems[0]);
  });

  test("in a project's own settings: the key falls back to every project's", () => {
    using home = tempHome();
    write(home, { restore_parts: 3, projects: { [home.project]: { restore_parts: "all", capture: "off" } } });
    expect(read(home)).toEqual({
      set: { restore_parts: 3, capture: "off" },
      origins: { restore_parts: "config.json", capture: "this project" },
      problems: [': projects: PROJECT: restore_parts is "all"; allowed: 0 to 8'],
    });
  });

  test("where a project's own settings are none", () => {
    using home = tempHome();
    write(home, { projects: { [home.project]: "off" } });
    expect(read(home).problems).toEqual([': projects: PROJECT is "off"; allowed: an object of settings']);
  });

  test("where the file is no JSON, or no file", () => {
    using home = tempHome();
    write(home, "{ capture: off }");
    expect(read(home)).toMatchObject({ set: {}, problems: [expect.stringContaining(" is no JSON: ")] });
    using other = tempHome();
    mkdirSync(configFile(other.env()), { recursive: true });
    expect(read(other)).toMatchObject({ set: {}, problems: [expect.stringContaining(" cannot be read: ")] });
  });
});
