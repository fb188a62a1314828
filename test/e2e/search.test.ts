import { expect, test } from "bun:test";
import { type Exchange, exchangeAbout, requestAbout } from "./support/api.ts";
import { toolResultOf } from "./support/request.ts";
import { setStage } from "./support/stage.ts";
import { scenarios } from "./support/suite.ts";
import { turnOf, turnsOf } from "./support/talk.ts";

scenarios("search", () => {
  test("the model is told of the skill, finds a turn of before by its words, and fetches it, without asking", async () => {
    await using stage = await setStage();
    const window = await stage.open();
    const turns = turnsOf("red", 1, 3);
    for (const turn of turns) await window.prompt(turn.prompt);
    await window.clear();
    const looked = turns[1] as (typeof turns)[number];
    const search = `blue-01: what was it? BASH:throughline search ${looked.tool}`;
    await window.prompt(search);
    expect((exchangeAbout(stage.api, search) as Exchange).raw).toContain("throughline:search");
    const output = toolResultOf(requestAbout(stage.api, search)) ?? "";
    expect(output).toContain(`**${looked.tool}**`);
    const detail = /throughline detail [^\n]+/.exec(output)?.[0] ?? "";
    const fetch = `blue-02: and all of it? BASH:${detail}`;
    await window.prompt(fetch);
    expect(toolResultOf(requestAbout(stage.api, fetch))).toContain(looked.prompt);
    // What was said after `/clear` is found as well, and a second command is still the person's to allow.
    await window.submit(`blue-03: BASH:throughline search ${turnOf("red", 1).tool} > found`);
    await window.waitFor("Do you want to proceed?");
    window.press("Escape");
    await window.settle();
  });
});
