import { expect, test } from "bun:test";
import { requestAbout } from "./support/api.ts";
import { textOf } from "./support/request.ts";
import { expectTold, restoredIn } from "./support/restored.ts";
import { setStage } from "./support/stage.ts";
import { heldOf, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { labelIn, replyTo } from "./support/talk.ts";

const turnOf = (prompt: string) => [`user: ${prompt}`, `assistant: ${replyTo(labelIn(prompt) ?? prompt)}`];
const [first, second, third, fourth] = ["red-01: look", "red-02: listen", "red-03: wait", "red-04: go"] as const;

scenarios("resume", () => {
  test("--resume and --continue go on in the same session, and nothing is told twice", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt(first);
    const session = window.sessionId();
    await window.close();
    const resumed = await stage.open({}, ["--resume", session]);
    await resumed.prompt(second);
    expect(resumed.sessionId()).toBe(session);
    expect(restoredIn(requestAbout(stage.api, second))).toBe("");
    await resumed.close();
    const continued = await stage.open({}, ["--continue"]);
    await continued.prompt(third);
    expect(continued.sessionId()).toBe(session);
    expect(textOf(requestAbout(stage.api, third)).split(first)).toHaveLength(2);
    await continued.clear();

    expect(talkIn(await heldOf(stage.home, session))).toEqual([first, second, third].map(turnOf));
    await continued.prompt("white-01: go on");
    const told = [first, second, third].flatMap((prompt) => [prompt, replyTo(labelIn(prompt) ?? prompt)]);
    expectTold(restoredIn(requestAbout(stage.api, "white-01")), told);
  });

  test("a fork lists the history it copied, and a /clear in it tells the whole of it once", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    await window.prompt(first);
    await window.prompt(second);
    const session = window.sessionId();
    const fork = await stage.open({}, ["--resume", session, "--fork-session"]);
    await fork.prompt(third);
    const forked = fork.sessionId();
    expect(forked).not.toBe(session);
    expect(restoredIn(requestAbout(stage.api, third))).toBe("");
    await window.prompt(fourth);
    await window.clear();
    await fork.clear();

    const [original, copy] = [await heldOf(stage.home, session), await heldOf(stage.home, forked)];
    expect(talkIn(original)).toEqual([first, second, fourth].map(turnOf));
    expect(talkIn(copy)).toEqual([first, second, third].map(turnOf));
    expect(copy.slice(0, 2).map(({ uuid }) => uuid)).toEqual(original.slice(0, 2).map(({ uuid }) => uuid));
    await fork.prompt("white-01: go on");
    expectTold(restoredIn(requestAbout(stage.api, "white-01")), [first, second, third, replyTo("red-03")]);
    await window.prompt("blue-01: go on");
    expectTold(restoredIn(requestAbout(stage.api, "blue-01")), [first, second, fourth, replyTo("red-04")]);
  });
});
