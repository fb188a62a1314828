import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Api, requestAbout } from "./support/api.ts";
import { installClient, versions } from "./support/client.ts";
import { type Home, transcriptsIn } from "./support/home.ts";
import { asksForLines, lineAbout, turnsIn } from "./support/lines.ts";
import { runClient, runThroughline } from "./support/plugin.ts";
import { expectInFull, restoredIn } from "./support/restored.ts";
import { type Stage, setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";
import { until } from "./support/wait.ts";
import type { Window } from "./support/window.ts";

const token = "sk-ant-oat01-dummy-login-token";

/** Gives the person a login of the client that no server knows. */
function logIn({ home }: Stage): void {
  const login = {
    accessToken: token,
    refreshToken: "sk-ant-ort01-dummy",
    expiresAt: 4102444800000,
    scopes: ["user:inference"],
  };
  writeFileSync(join(home.folder, ".claude/.credentials.json"), JSON.stringify({ claudeAiOauth: login }));
}

/** The store, for reading while others write. */
function openMemory({ folder }: Home): Database {
  const db = new Database(join(folder, ".throughline/memory.db"), { readonly: true });
  db.run("pragma busy_timeout = 5000");
  return db;
}

const askedOf = (api: Api) => api.exchanges.filter(({ request }) => asksForLines(request));

function linesIn({ home }: Stage): { text: string; model: string | null }[] {
  using db = openMemory(home);
  return db
    .query<{ text: string; model: string | null }, []>("select text, model from summaries order by turn_id")
    .all();
}

/** Whether a worker holds the lock. */
function isAtWork({ home }: Stage): boolean {
  using db = openMemory(home);
  return db.query("select 1 from worker where holder is not null").get() !== null;
}

scenarios("summaries", () => {
  test("30 turns: the ten oldest get a line in at most two small requests, and the next session is told them", async () => {
    await using stage = await setStage();
    logIn(stage);
    const window = await stage.open();
    await window.waitFor('"summaries": "off"');
    const turns = turnsOf("red", 1, 30);
    for (const [n, turn] of turns.entries()) {
      await window.prompt(turn.prompt);
      if (n === 19) expect(askedOf(stage.api)).toEqual([]);
    }
    await until("ten lines", () => linesIn(stage).length === 10, { timeout: 60_000 });
    await until("end of the worker", () => !isAtWork(stage), { timeout: 60_000 });
    const labels = turns.slice(0, 10).map(({ label }) => label);
    expect(linesIn(stage).map(({ text }) => text)).toEqual(labels.map(lineAbout));

    const asked = askedOf(stage.api);
    expect(asked.length).toBeLessThanOrEqual(2);
    for (const { request, raw, authorization } of asked) {
      const own = turnsIn(request).join("");
      const beyond = Buffer.byteLength(raw) - Buffer.byteLength(own);
      expect(beyond).toBeLessThanOrEqual(4_096);
      expect(request.thinking).toEqual({ type: "disabled" });
      expect(request.tools?.map(({ name }) => name)).toEqual(["StructuredOutput"]);
      expect(authorization).toBeNull();
    }
    // Nothing of the client's is left behind, and no hook of anybody saw the runs.
    expect([...transcriptsIn(stage.home).keys()]).toEqual([window.sessionId()]);
    using db = openMemory(stage.home);
    expect(db.query("select count(*) as n from sessions").get()).toEqual({ n: 1 });
    expect(readdirSync(join(stage.home.folder, ".throughline/empty"))).toEqual([]);

    await window.clear();
    await window.waitFor("restored 20 turns in full, 10 as lines");
    await window.prompt(turnOf("blue", 1).prompt);
    const restored = restoredIn(requestAbout(stage.api, "blue-01"));
    for (const label of labels) expect(restored).toContain(lineAbout(label));
    expectInFull(restored, turns.slice(-20));
    const status = await runThroughline(stage.home, ["status"]);
    expect(status).toMatch(/Lines in all +10 turns sent in [12] runs, 10 lines kept, [\d,]+ tokens, \$0\.0/);
  });

  test("a login alone is never sent to an address that is not its own", async () => {
    await using stage = await setStage();
    logIn(stage);
    const window = await stage.open({ ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" });
    for (const turn of turnsOf("red", 1, 21)) await window.prompt(turn.prompt);
    const shown = () => runThroughline(stage.home, ["status"]);
    const before = stage.api.exchanges.length;
    await window.clear();
    await until("end of the worker", () => !isAtWork(stage), { timeout: 60_000 });
    expect(await shown()).toContain("foreign-url");
    expect(askedOf(stage.api)).toEqual([]);
    expect(stage.api.exchanges.length).toBeGreaterThanOrEqual(before);
    expect(linesIn(stage)).toEqual([]);
  });

  test("any: the key that a helper of the settings prints is what pays", async () => {
    await using stage = await setStage();
    logIn(stage);
    const helper = join(stage.home.folder, "print key.sh");
    writeFileSync(helper, "#!/bin/sh\necho sk-ant-of-the-helper\n", { mode: 0o755 });
    const settings = join(stage.home.folder, ".claude/settings.json");
    const before = existsSync(settings) ? JSON.parse(readFileSync(settings, "utf8")) : {};
    writeFileSync(settings, JSON.stringify({ ...before, apiKeyHelper: `"${helper}"` }));
    mkdirSync(join(stage.home.folder, ".throughline"), { recursive: true });
    writeFileSync(join(stage.home.folder, ".throughline/config.json"), JSON.stringify({ summaries: "any" }));
    const window = await stage.open({ ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" });
    for (const turn of turnsOf("red", 1, 21)) await window.prompt(turn.prompt);
    await until("line", () => linesIn(stage).length === 1, { timeout: 60_000 });
    expect(askedOf(stage.api).map(({ authorization }) => authorization)).toEqual(["Bearer sk-ant-of-the-helper"]);
  });

  test.each([
    ["a killed terminal", (window: Window) => window.kill()],
    ["a terminal that is closed", (window: Window) => window.close()],
    ["/exit", (window: Window) => window.exit()],
  ])("the worker outlives %s", async (_, end) => {
    await using stage = await setStage();
    logIn(stage);
    const window = await stage.open();
    for (const turn of turnsOf("red", 1, 21)) await window.prompt(turn.prompt);
    await until("worker", () => isAtWork(stage));
    await end(window);
    await expectOneLine(stage);
    expect(readFileSync(join(stage.home.folder, ".claude.json"), "utf8")).not.toContain(".throughline/empty");
  });

  test("the worker outlives `claude -p`", async () => {
    await using stage = await setStage();
    logIn(stage);
    mkdirSync(join(stage.home.folder, ".throughline"), { recursive: true });
    writeFileSync(join(stage.home.folder, ".throughline/config.json"), JSON.stringify({ headless: "on" }));
    const window = await stage.open();
    const session = window.sessionId();
    for (const turn of turnsOf("red", 1, 20)) await window.prompt(turn.prompt);
    await window.exit();
    expect(askedOf(stage.api)).toEqual([]);
    const client = await installClient(versions.current);
    await runClient(stage.home, [client, "-p", "--resume", session, turnOf("red", 21).prompt]);
    await expectOneLine(stage);
  });
});

/** The worker makes the line that is missing and leaves. */
async function expectOneLine(stage: Stage): Promise<void> {
  await until("line", () => linesIn(stage).length === 1, { timeout: 60_000 });
  await until("end of the worker", () => !isAtWork(stage));
  expect(existsSync(join(stage.home.folder, ".throughline/last-error"))).toBe(false);
}
