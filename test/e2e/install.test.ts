import { beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TranscriptBuilder } from "../support/transcript.ts";
import { requestAbout, serveApi } from "./support/api.ts";
import { buildArchive, runFor, unpackArchive } from "./support/archive.ts";
import { installClient, versions } from "./support/client.ts";
import { snapshotOf } from "./support/folder.ts";
import { makeHome } from "./support/home.ts";
import { builds } from "./support/repo.ts";
import { expectInFull, restoredIn } from "./support/restored.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";
import { openWindow } from "./support/window.ts";

const odd = " it's $HOME 記憶 🧵 ";
const allow = ["Bash(seq:*)"];

/** What the client itself leaves in a home once a plugin was installed and sessions were had. */
const ownedByClient = [
  /^\.claude\.json$/,
  /^\.claude\/(backups|plugins|projects|sessions|file-history|session-env|shell-snapshots|history\.jsonl|settings\.json)/,
  /^\.claude\/(cache|debug|todos|tasks|telemetry|statsig|paste-cache|\.last-cleanup)/,
  /^\.local(\/share(\/applications(\/claude-code-url-handler\.desktop)?)?)?$/,
  /^tmp/,
];

scenarios("install", () => {
  beforeAll(buildArchive, 120_000);

  test("from an archive in a fresh home with odd names: three turns, /clear, installed again, uninstalled", async () => {
    const client = await installClient(versions.current);
    await using api = serveApi();
    using home = makeHome(api.url, allow, {}, odd);
    const before = snapshotOf(home.folder);
    const program = unpackArchive(home);
    const installed = join(home.folder, ".throughline/bin/throughline");

    const first = await runFor(home, [program, "install", "--yes", "--claude", client]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("Restart open Claude Code windows");

    await using window = await openWindow(home, api, client);
    const turns = turnsOf("red", 1, 3);
    for (const turn of turns) await window.prompt(turn.prompt);
    await window.clear();
    await window.waitFor("restored 3 turns in full");
    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    expectInFull(restoredIn(requestAbout(api, next.prompt)), turns);

    const other = join(builds.faults, "throughline");
    const second = await runFor(home, [other, "install", "--yes", "--claude", client]);
    // What was said in between is stored: nothing is left to import.
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toContain("replace");
    expect(second.stdout).not.toContain("Turns");
    await window.clear();
    await window.waitFor("restored 4 turns in full");

    const doctor = await runFor(home, [installed, "doctor", "--claude", client]);
    expect(doctor.stdout).not.toContain("BROKEN");
    expect(doctor).toMatchObject({ code: 0, stderr: "" });

    const removed = await runFor(home, [installed, "uninstall", "--yes", "--claude", client]);
    expect(removed).toMatchObject({ code: 0, stderr: "" });
    expect(removed.stdout).toContain("Restart the window of process");
    await window.submit("/clear");
    await window.waitFor("Plugin directory does not exist");
    await window.close();

    expect(existsSync(installed)).toBe(false);
    expect(readFileSync(join(home.folder, ".claude/settings.json"), "utf8")).not.toContain('"throughline@throughline"');
    const after = snapshotOf(home.folder);
    const names = [...Object.keys(before), ...Object.keys(after)].filter((path) => before[path] !== after[path]);
    const changed = [...new Set(names)].map((path) => path.slice(home.folder.length + 1));
    expect(
      changed.filter((path) => !path.startsWith(".throughline") && !ownedByClient.some((owned) => owned.test(path))),
    ).toEqual([]);
  });

  test("what was said last month, before there was a plugin, is told to the first session", async () => {
    const client = await installClient(versions.current);
    await using api = serveApi();
    using home = makeHome(api.url, allow, {}, odd);
    const month = new TranscriptBuilder("5e551000-0000-4000-8000-000000000001", Date.now() - 25 * 86_400_000);
    month.prompt("Which lantern did we choose?");
    month.tool("Bash", { command: "cat lanterns" }, "copper\nviolet");
    month.say("The copper one, for the harbour.");
    const folder = join(home.folder, ".claude/projects/-last-month");
    mkdirSync(folder, { recursive: true });
    const text = month.text.replaceAll('"/home/dev/project"', JSON.stringify(home.project));
    writeFileSync(join(folder, `${month.sessionId}.jsonl`), text);

    const done = await runFor(home, [unpackArchive(home), "install", "--yes", "--claude", client]);
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toMatch(/Turns +1 new/);

    await using window = await openWindow(home, api, client);
    const next = turnOf("blue", 1);
    await window.prompt(next.prompt);
    const told = restoredIn(requestAbout(api, next.prompt));
    expect(told).toContain("[user]: Which lantern did we choose?");
    expect(told).toContain("[assistant]: The copper one, for the harbour.");
    expect(told).not.toContain("violet");
    for (const turn of turnsOf("red", 1, 3)) await window.prompt(turn.prompt);
    await window.clear();
    await window.waitFor("restored 5 turns in full");
  });

  test.each(Object.values(versions))("client %s: with a folder of its own, at another scope", async (version) => {
    const client = await installClient(version);
    await using api = serveApi();
    using home = makeHome(api.url, allow, {}, odd);
    const program = unpackArchive(home);
    const config = join(home.folder, "client's $own 記憶");
    const ask = (args: string[]) => runFor(home, args, { CLAUDE_CONFIG_DIR: config });
    const before = snapshotOf(join(home.folder, ".claude"));

    const installed = await ask([
      program,
      "install",
      "--yes",
      "--scope",
      "local",
      "--bare-command",
      "--claude",
      client,
    ]);
    expect(installed).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(config, "commands/sc-detail.md"))).toBe(true);
    const listed = await ask([client, "plugin", "list", "--json"]);
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ id: "throughline@throughline", scope: "local", enabled: true }),
    );
    // What the client copies of a plugin is without the program.
    const copied = Object.keys(snapshotOf(join(config, "plugins/cache/throughline")));
    expect(copied.filter((path) => path.endsWith("bin/throughline"))).toEqual([]);

    const again = await ask([program, "install", "--yes", "--scope", "local", "--bare-command", "--claude", client]);
    expect(again.stdout).toContain("nothing to do");

    const removed = await ask([program, "uninstall", "--purge", "--yes", "--claude", client]);
    expect(removed).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(home.folder, ".throughline"))).toBe(false);
    expect(existsSync(join(config, "commands"))).toBe(false);
    expect(readFileSync(join(home.project, ".claude/settings.local.json"), "utf8")).not.toContain(
      "throughline@throughline",
    );
    expect(snapshotOf(join(home.folder, ".claude"))).toEqual(before);
  });
});
