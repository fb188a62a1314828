import { expect, test } from "bun:test";
import { clientOfProgram, placesOf } from "../../src/summarize/places.ts";

test("PATH comes first, then the usual places; what is relative is nobody's say", () => {
  const places = placesOf({ platform: "linux", home: "/home/dev", path: "/opt/x:bin:.::/usr/bin" });
  expect(places.slice(0, 3)).toEqual(["/opt/x/claude", "/usr/bin/claude", "/home/dev/.local/bin/claude"]);
  expect(places.every((place) => place.startsWith("/"))).toBe(true);
});

test("on Windows a program and npm's shim", () => {
  const places = placesOf({
    platform: "win32",
    home: "C:\\Users\\dev",
    path: "C:\\bin;D:\\x",
    appData: "C:\\Users\\dev\\AppData\\Roaming",
  });
  expect(places.slice(0, 4)).toEqual([
    "C:\\bin\\claude.exe",
    "C:\\bin\\claude.cmd",
    "D:\\x\\claude.exe",
    "D:\\x\\claude.cmd",
  ]);
  expect(places).toContain("C:\\Users\\dev\\AppData\\Roaming\\npm\\claude.cmd");
});

test.each([
  [["/home/dev/.local/share/claude/versions/2.1.332"], ["/home/dev/.local/share/claude/versions/2.1.332"]],
  [
    ["/opt/node_modules/@anthropic-ai/claude-code-linux-x64/claude", "-p"],
    ["/opt/node_modules/@anthropic-ai/claude-code-linux-x64/claude"],
  ],
  [
    ["/usr/bin/node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"],
    ["/usr/bin/node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"],
  ],
  [["/usr/bin/node", "/srv/app.js"], undefined],
  [["/bin/bash"], undefined],
  [["/opt/notclaude/bin/x"], undefined],
  [[], undefined],
])("the program %p is the client %p", (program, command) => {
  expect(clientOfProgram(program)).toEqual(command);
});
