import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { installClient, versions } from "./support/client.ts";
import { transcriptsIn } from "./support/home.ts";
import { runClient, runThroughline } from "./support/plugin.ts";
import { textOf } from "./support/request.ts";
import { expectTold, expectUntold, restoredIn } from "./support/restored.ts";
import { type Stage, setStage } from "./support/stage.ts";
import { heldOf } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { labelIn, replyTo } from "./support/talk.ts";
import type { Window } from "./support/window.ts";

const number = (n: number) => String(n).padStart(2, "0");
// Line by line: the border between two parts may fall into an answer.
const exchange = (prompt: string) => [prompt, ...replyTo(labelIn(prompt) ?? prompt).split("\n")];
const restoredAt = (stage: Stage, prompt: string) => restoredIn(requestAbout(stage.api, prompt));

/** Sends a prompt and expects the model to have been told exactly these, in order, and none of those. */
async function expectPast(
  stage: Stage,
  window: Window,
  prompt: string,
  told: string[],
  untold: string[] = [],
): Promise<void> {
  await window.prompt(prompt);
  const restored = restoredAt(stage, prompt);
  if (told.length === 0) expect(restored).not.toContain("### Recent turns");
  else expectTold(restored, told.flatMap(exchange));
  expectUntold(restored, untold);
}

scenarios("lineage", () => {
  test("two windows that clear in turn, ten times each, keep their own threads", async () => {
    await using stage = await setStage();
    const windows = [await stage.open(), await stage.open()];
    const said: string[][] = [[], []];
    for (let n = 1; n <= 10; n += 1) {
      for (const [index, window] of windows.entries()) {
        const [own, others] = [said[index] as string[], said[1 - index] as string[]];
        const prompt = `${index === 0 ? "red" : "blue"}-${number(n)}: go on`;
        await expectPast(stage, window, prompt, own, others);
        own.push(prompt);
        await window.clear();
      }
    }
    for (const [index, window] of windows.entries()) {
      await expectPast(stage, window, `white-0${index + 1}: and?`, said[index] as string[], said[1 - index]);
    }
  });

  test("a cleared session is resumed: both branches go on and each successor knows its own", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt("red-01: look");
    const first = window.sessionId();
    await window.clear();
    await expectPast(stage, window, "green-01: go on", ["red-01: look"]);
    const resumed = await stage.open({}, ["--resume", first]);
    await resumed.prompt("blue-01: another way");
    expect(restoredAt(stage, "blue-01")).toBe("");
    await resumed.clear();
    await window.clear();
    await expectPast(stage, resumed, "blue-02: and?", ["red-01: look", "blue-01: another way"], ["green-01"]);
    await expectPast(stage, window, "green-02: and?", ["red-01: look", "green-01: go on"], ["blue-0"]);
  });

  test("/resume in the same process: the next /clear continues what was resumed", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt("red-01: look");
    const first = window.sessionId();
    await window.clear();
    await window.prompt("green-01: go on");
    await window.settle();
    await window.submit(`/resume ${first}`);
    await window.until("the session resumed", () => window.sessionId() === first);
    await window.prompt("blue-01: another way");
    await window.clear();
    await expectPast(stage, window, "blue-02: and?", ["red-01: look", "blue-01: another way"], ["green-01"]);
  });

  test("a fork of a session that continues another one knows what that one knew", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt("red-01: look");
    await window.clear();
    await window.prompt("green-01: go on");
    const fork = await stage.open({}, ["--resume", window.sessionId(), "--fork-session"]);
    await fork.prompt("blue-01: another way");
    await window.prompt("green-02: and on");
    await fork.clear();
    await window.clear();
    await expectPast(
      stage,
      fork,
      "blue-02: and?",
      ["red-01: look", "green-01: go on", "blue-01: another way"],
      ["green-02"],
    );
    await expectPast(
      stage,
      window,
      "green-03: and?",
      ["red-01: look", "green-01: go on", "green-02: and on"],
      ["blue-0"],
    );
  });

  test("/clear twice starts clean, says so, and `link` brings the thread back", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt("red-01: look");
    await window.clear();
    await window.waitFor("restored 1 turn in full");
    await window.clear();
    await window.waitFor("a clean start, as you cleared twice");
    await expectPast(stage, window, "green-01: something else", [], ["red-01"]);
    const linked = await runThroughline(stage.home, ["link"], {}, { CLAUDE_CODE_SESSION_ID: window.sessionId() });
    expect(linked).toContain(`Session ${window.sessionId()} continues `);
    await window.submit("/throughline:restore");
    await window.until("restored text in a prompt", () =>
      stage.api.exchanges.some(({ request }) => textOf(request).includes(replyTo("red-01"))),
    );
    await window.settle();
    await window.clear();
    await expectPast(stage, window, "green-02: and?", ["red-01: look", "green-01: something else"]);
  });

  test("`claude -p` between two sessions leaves no trace and takes nothing", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt("red-01: look");
    await window.close();
    const client = await installClient(versions.current);
    const before = new Set(transcriptsIn(stage.home).keys());
    await runClient(stage.home, [client, "-p", "white-01: in between"]);
    expect(restoredAt(stage, "white-01")).toBe("");
    const added = [...transcriptsIn(stage.home).keys()].filter((id) => !before.has(id));
    expect(added).toHaveLength(1);
    expect(await heldOf(stage.home, added[0] as string).catch(() => [])).toEqual([]);
    const next = await stage.open();
    await expectPast(stage, next, "green-01: go on", ["red-01: look"], ["white-01"]);
  });

  test("after kill -9 a new start restores the thread and says that it guessed", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt("red-01: look");
    await window.prompt("red-02: listen");
    await window.kill();
    const next = await stage.open();
    await expectPast(stage, next, "green-01: go on", ["red-01: look", "red-02: listen"]);
    expect(restoredAt(stage, "green-01")).toContain("is a guess");
  });
});
