import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { perform } from "../../src/install/perform.ts";
import { placesOf } from "../../src/install/places.ts";
import { restoringStatusLine, settingStatusLine } from "../../src/install/status-line.ts";
import { chainedCommand } from "../../src/statusline/chained.ts";
import { type TempHome, tempHome } from "../support/home.ts";

const settingsOf = (home: TempHome): string => join(home.folder, ".claude/settings.json");

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const install = (home: TempHome, scope: "user" | "project" | "local" = "user") =>
  perform(home.env(), settingStatusLine(home.env(), placesOf(home.env()), scope));
const uninstall = (home: TempHome) => perform(home.env(), restoringStatusLine(home.env()));
const statusLineIn = (file: string) => JSON.parse(readFileSync(file, "utf8")).statusLine;

test.each([
  ["no file", undefined],
  ["an empty object", "{}"],
  ["other settings, laid out by hand", '{ "model": "opus",\n\t"env": {"A": "1"} }'],
  ["a status line", '{\n  "statusLine": {\n    "type": "command",\n    "command": "~/line.sh"\n  }\n}\n'],
  [
    "quotes, kanji and spaces in it",
    `{"statusLine":{"type":"command","command":"echo \\"記憶 $HOME\\" 'x y'","padding":0},"a":1}`,
  ],
  ["comments, as some people have", '{\n  // mine\n  "statusLine": {"type": "command", "command": "x"} // here\n}'],
  ["a byte order mark's worth of nothing", " \n"],
])("set, set again and put back to the byte: %s", async (_, text) => {
  using home = tempHome();
  const file = settingsOf(home);
  if (text !== undefined) write(file, text);
  await install(home);
  expect(readFileSync(file, "utf8")).toContain(`${home.folder}/.throughline/bin/throughline statusline`);
  expect(settingStatusLine(home.env(), placesOf(home.env()), "user")).toEqual([]);
  await uninstall(home);
  expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(text as string);
  expect(existsSync(join(home.folder, ".throughline/statusline.json"))).toBe(false);
  expect(restoringStatusLine(home.env())).toEqual([]);
});

describe("what somebody changed since stays", () => {
  test("another setting", async () => {
    using home = tempHome();
    write(settingsOf(home), '{"statusLine":{"type":"command","command":"mine"}}');
    await install(home);
    const changed = readFileSync(settingsOf(home), "utf8").replace("{", '{"model":"opus",');
    write(settingsOf(home), changed);
    await uninstall(home);
    expect(JSON.parse(readFileSync(settingsOf(home), "utf8"))).toEqual({
      model: "opus",
      statusLine: { type: "command", command: "mine" },
    });
  });

  test("another status line", async () => {
    using home = tempHome();
    await install(home);
    write(settingsOf(home), '{"statusLine":{"type":"command","command":"newer"}}');
    await uninstall(home);
    expect(statusLineIn(settingsOf(home))).toEqual({ type: "command", command: "newer" });
  });

  test("the whole file gone", async () => {
    using home = tempHome();
    await install(home);
    await perform(home.env(), [{ do: "remove", path: settingsOf(home) }]);
    await uninstall(home);
    expect(existsSync(settingsOf(home))).toBe(false);
  });
});

test("what stood there is still known after the program has moved", async () => {
  using home = tempHome();
  write(settingsOf(home), '{"statusLine":{"type":"command","command":"mine","padding":2}}');
  await install(home);
  const moved = { ...placesOf(home.env()), binary: "/elsewhere/throughline" };
  await perform(home.env(), settingStatusLine(home.env(), moved, "user"));
  expect(statusLineIn(settingsOf(home))).toEqual({
    type: "command",
    command: "/elsewhere/throughline statusline",
    padding: 2,
  });
  expect(chainedCommand(home.env(), home.project)).toBe("mine");
  await uninstall(home);
  expect(statusLineIn(settingsOf(home))).toEqual({ type: "command", command: "mine", padding: 2 });
});

test.each(["project", "local"] as const)(
  "of a %s it is the person's own file, and its chained command counts there",
  async (scope) => {
    using home = tempHome();
    const file = join(home.project, ".claude/settings.local.json");
    write(settingsOf(home), '{"statusLine":{"type":"command","command":"everywhere"}}');
    write(file, '{"statusLine":{"type":"command","command":"here"}}');
    await install(home, scope);
    expect(chainedCommand(home.env(), home.project)).toBe("here");
    expect(chainedCommand(home.env(), "/elsewhere")).toBeUndefined();
    await install(home);
    expect(chainedCommand(home.env(), "/elsewhere")).toBe("everywhere");
    expect(chainedCommand(home.env(), undefined)).toBe("everywhere");
    await uninstall(home);
    expect([statusLineIn(file).command, statusLineIn(settingsOf(home)).command]).toEqual(["here", "everywhere"]);
  },
);

test("a link is written through, rights stay", async () => {
  using home = tempHome();
  const real = join(home.folder, "dotfiles/settings.json");
  write(real, "{}");
  await perform(home.env(), [{ do: "mode", path: real, mode: 0o600 }]);
  mkdirSync(dirname(settingsOf(home)), { recursive: true });
  symlinkSync(real, settingsOf(home));
  await install(home);
  expect(realpathSync(settingsOf(home))).toBe(real);
  expect(statSync(real).mode & 0o777).toBe(0o600);
  expect(statusLineIn(real).command).toContain("statusline");
});

test.each(["[]", "{", '"text"', '{"a":}'])("a settings file that is none is refused with what to do: %s", (text) => {
  using home = tempHome();
  write(settingsOf(home), text);
  expect(() => settingStatusLine(home.env(), placesOf(home.env()), "user")).toThrow("nothing was changed");
});
