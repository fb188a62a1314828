import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serveApi } from "./support/api.ts";
import { buildArchive, runFor, unpackArchive } from "./support/archive.ts";
import { installClient, versions } from "./support/client.ts";
import { makeHome } from "./support/home.ts";
import { scenarios } from "./support/suite.ts";
import { turnsOf } from "./support/talk.ts";
import { openWindow } from "./support/window.ts";

scenarios("status line", () => {
  beforeAll(buildArchive, 120_000);

  test("below the person's own it shows the client's figure and what /clear keeps; gone again after uninstall", async () => {
    const client = await installClient(versions.current);
    await using api = serveApi();
    const own = { type: "command", command: "printf 'my own line %s' \"$COLUMNS\"", padding: 1 };
    using home = makeHome(api.url, ["Bash(seq:*)"], { statusLine: own }, " it's $HOME 記憶 ");
    const settings = join(home.folder, ".claude/settings.json");
    const program = unpackArchive(home);
    const installed = await runFor(home, [program, "install", "--yes", "--statusline", "--claude", client]);
    expect(installed).toMatchObject({ code: 0, stderr: "" });

    await using window = await openWindow(home, api, client);
    await window.waitFor("my own line 160");
    await window.waitFor("0/1M");
    for (const turn of turnsOf("red", 1, 2)) await window.prompt(turn.prompt);
    await window.waitFor("4.2k/1M ░░░░░░░░░░ 0 %");
    // Stop is asynchronous, so what it stored shows with the next message at the latest.
    for (const turn of turnsOf("blue", 1, 1)) await window.prompt(turn.prompt);
    await window.until("what /clear keeps", () => /\/clear keeps ≈[\d.]+k?/.test(window.screen()));
    await window.clear();
    await window.waitFor("/clear starts clean");

    const removed = await runFor(home, [
      join(home.folder, ".throughline/bin/throughline"),
      "uninstall",
      "--yes",
      "--claude",
      client,
    ]);
    expect(removed).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(readFileSync(settings, "utf8")).statusLine).toEqual(own);
    await window.until("only the person's own line", () => {
      const screen = window.screen();
      return screen.includes("my own line") && !screen.includes("/clear starts clean");
    });
  });
});
