import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOf, nodePlaces, targetOfShim } from "../../src/summarize/shim.ts";
import { tempHome } from "../support/home.ts";

const shim = (target: string) =>
  `@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n)\r\n\r\n"%_prog%"  "%dp0%\\${target}" %*\r\n`;

describe("npm's shim", () => {
  test.each([
    [
      "node_modules\\@anthropic-ai\\claude-code\\cli.js",
      ["node", "C:\\npm\\node_modules\\@anthropic-ai\\claude-code\\cli.js"],
    ],
    [
      "node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe",
      ["C:\\npm\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"],
    ],
  ])("names %s", (target, command) => {
    expect(targetOfShim(shim(target), "C:\\npm")).toEqual(command);
  });

  test("is not read where it has another form", () => {
    expect(targetOfShim("@echo off\r\nstart calc.exe & claude %*\r\n", "C:\\npm")).toBeUndefined();
  });
});

test("node is looked for beside the shim and on the PATH, not in the folder one happens to be in", () => {
  expect(nodePlaces("C:\\npm", "D:\\nodejs;.;;bin;C:\\x y")).toEqual([
    "C:\\npm\\node.exe",
    "D:\\nodejs\\node.exe",
    "C:\\x y\\node.exe",
  ]);
});

test("a program is its own command, a shim of another form or without node is none", () => {
  using home = tempHome();
  const file = (name: string, text: string) => {
    writeFileSync(join(home.folder, name), text);
    return join(home.folder, name);
  };
  expect(commandOf("/usr/bin/claude", "")).toEqual(["/usr/bin/claude"]);
  expect(commandOf("C:\\npm\\claude.exe", "")).toEqual(["C:\\npm\\claude.exe"]);
  expect(commandOf(file("other.CMD", "@echo off\r\nclaude2 %*\r\n"), "")).toBeUndefined();
  expect(commandOf(file("claude.cmd", shim("node_modules\\cli.js")), "C:\\nowhere")).toBeUndefined();
});
