import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requestAbout } from "./support/api.ts";
import { expectTold, expectUntold, restoredIn } from "./support/restored.ts";
import { type Stage, setStage } from "./support/stage.ts";
import { detailsIn, heldOf, type StoredTurn, talkIn } from "./support/stored.ts";
import { scenarios } from "./support/suite.ts";
import { replyTo } from "./support/talk.ts";
import type { Window } from "./support/window.ts";

const first = "red-01: look";
const firstTurn = [`user: ${first}`, `assistant: ${replyTo("red-01")}`];
/** A picture of one dot. */
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

/** Opens a window, says the first prompt, plays `act` and a `/clear`; gives back what is held and what is told then. */
async function play(
  act: (window: Window, stage: Stage) => Promise<void>,
): Promise<{ held: StoredTurn[]; told: string }> {
  await using stage = await setStage();
  mkdirSync(join(stage.home.folder, ".claude/commands"));
  writeFileSync(
    join(stage.home.folder, ".claude/commands/lamp.md"),
    "---\ndescription: Lights it\n---\nLight the lamp: $ARGUMENTS\n",
  );
  const window = await stage.open();
  await window.prompt(first);
  await act(window, stage);
  const session = window.sessionId();
  await window.clear();
  const held = await heldOf(stage.home, session);
  expect(talkIn(held)[0]).toEqual(firstTurn);
  await window.prompt("white-01: go on");
  return { held, told: restoredIn(requestAbout(stage.api, "white-01")) };
}

scenarios("input", () => {
  test("a !command that Claude answers is a turn, its output a detail", async () => {
    const { held, told } = await play(async (window) => {
      window.type("!");
      await window.waitFor("for shell mode");
      window.type("seq 51 57");
      await window.waitFor("seq 51 57");
      await window.during(() => window.press("Enter"));
    });
    expect(held).toHaveLength(2);
    expect(held[1]?.prompt).toEqual(["!seq 51 57"]);
    expect(held[1]?.answer.join("\n")).toStartWith("Answer to");
    expect(detailsIn(held.slice(1))).toContain("56");
    expectTold(told, [first, "!seq 51 57"]);
  });

  test("a slash command with arguments is a turn as it was typed", async () => {
    const typed = "/lamp copper and violet";
    const { held, told } = await play((window) => window.during(() => window.submit(typed)));
    expect(held).toHaveLength(2);
    expect(held[1]?.prompt).toEqual([typed]);
    expect(held[1]?.answer.join("\n")).toStartWith("Answer to");
    expectTold(told, [first, replyTo("red-01"), typed]);
    expectUntold(told, ["Light the lamp"]);
  });

  test("a slash command that Claude is not asked about is no turn", async () => {
    const { held, told } = await play(async (window) => {
      await window.submit("/effort low");
      await window.waitFor("Set effort level");
    });
    expect(talkIn(held)).toEqual([firstTurn]);
    expect(detailsIn(held)).toContain("Set effort level");
    expectUntold(told, ["/effort", "not answered"]);
  });

  test("an unknown slash command reaches nobody", async () => {
    const { held, told } = await play(async (window) => {
      await window.submit("/nosuch thing here");
      await window.waitFor("Unknown command: /nosuch");
    });
    expect(talkIn(held)).toEqual([firstTurn]);
    expectUntold(told, ["nosuch"]);
  });

  test("an @file stays as it was typed, the file's text is a detail", async () => {
    const typed = "red-02: see @notes.txt please";
    const { held, told } = await play(async (window, { home }) => {
      writeFileSync(join(home.project, "notes.txt"), "a note about meadows\n");
      await window.prompt(typed);
    });
    expect(talkIn(held)).toEqual([firstTurn, [`user: ${typed}`, `assistant: ${replyTo("red-02")}`]]);
    expect(detailsIn(held)).toContain("a note about meadows");
    expectTold(told, [first, typed]);
    expectUntold(told, ["a note about meadows"]);
  });

  test("a pasted image is a placeholder beside what was typed", async () => {
    const typed = "red-02: what is this?";
    const { held, told } = await play(async (window, { home }) => {
      const file = join(home.project, "dot.png");
      writeFileSync(file, Buffer.from(dot, "base64"));
      window.type(`${typed} ${paste(file)}`);
      await window.waitFor("[Image #1]");
      await window.during(() => window.press("Enter"));
    });
    expect(held).toHaveLength(2);
    expect(held[1]?.prompt).toEqual([`${typed} [Image #1]`]);
    expect(held[1]?.answer.join("\n")).toStartWith("Answer to");
    expect(held[1]?.details.map(({ kind }) => kind)).toEqual(["image"]);
    expect(detailsIn(held)).toMatch(/\[image\/png, 70 bytes, [0-9a-f]{16}\]/);
    expect(detailsIn(held)).not.toContain(dot);
    expectTold(told, [first, typed]);
  });

  test("a pasted text is the person's without the client's marks around it", async () => {
    const lines = "a pasted line of copper\n".repeat(12).trimEnd();
    const { held, told } = await play(async (window) => {
      window.type("red-02: read this ");
      window.type(paste(lines));
      await window.waitFor("[Pasted text");
      await window.during(() => window.press("Enter"));
    });
    expect(held).toHaveLength(2);
    const words = held[1]?.prompt.join("\n") ?? "";
    expect(words).toStartWith("red-02: read this");
    expect(words).toContain(lines);
    expect(words).not.toContain("pasted_content");
    expectTold(told, [first, lines]);
  });
});
