import { expect, test } from "bun:test";
import { promptsTold, Window } from "../support/claude.ts";
import { tempHome } from "../support/home.ts";
import { runIn } from "../support/ran.ts";

test("a session can be linked by hand after a clean start, its successor is told both, and unlinked again", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("aaaa1", "startup");
  await window.turn("one");
  await window.clear("bbbb2");
  const clean = await window.clear("cccc3");
  expect(clean.parts).toEqual([]);
  expect(clean.message).toContain("`throughline link` brings it back");
  await window.turn("two");

  const linked = await runIn(home, "cccc3", "link");
  expect(linked).toMatchObject({ code: 0, stderr: "" });
  expect(linked.stdout).toStartWith("Session cccc3 continues aaaa1 now.\n");
  const { stdout: told } = await runIn(home, "cccc3", "restore");
  expect(told).toContain("[user]: one");
  expect(told).not.toContain("[user]: two");
  expect(promptsTold(await window.clear("dddd4"))).toEqual(["one", "two"]);
  await window.turn("three");

  expect((await runIn(home, "dddd4", "unlink")).stdout).toContain("no longer continues cccc3");
  expect((await runIn(home, "dddd4", "unlink")).stdout).toContain("continues no other session");
  expect((await runIn(home, "dddd4", "restore")).stdout).toContain("continues no other one");
  expect(promptsTold(await window.clear("eeee5"))).toEqual(["three"]);
});

test("link takes the beginning of an id, and says what is wrong with others", async () => {
  using home = tempHome();
  const [one, two] = [new Window(home, 100), new Window(home, 200)];
  await one.start("abc-1", "startup");
  await one.turn("one");
  await two.start("abd-2", "startup");
  await two.turn("two");
  expect((await runIn(home, "abd-2", "link", "abc")).stdout).toContain("abd-2 continues abc-1");
  for (const [args, why] of [
    [["link", "ab"], "more than one session begins with ab"],
    [["link", "xyz"], "no session xyz is stored"],
    [["link", "abc-1", "abd-2"], "abd-2 is not among what the command takes"],
    [["restore", "xyz"], "no session xyz is stored"],
    [["restore", "--block", "0"], "--block takes a number from 1 on"],
    [["sessions", "--limit", "x"], "--limit takes a number from 1 on"],
  ] as const) {
    const { stderr, code } = await runIn(home, "abd-2", ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
  const around = await runIn(home, "abc-1", "link", "abd-2");
  expect(around).toMatchObject({ code: 2, stderr: expect.stringContaining("itself continues abc-1") });
});

test("fresh: the calling session's successor alone starts clean; from a terminal the project's next session", async () => {
  using home = tempHome();
  const [one, two] = [new Window(home, 100), new Window(home, 200)];
  await one.start("a1", "startup");
  await one.turn("one");
  await two.start("b1", "startup");
  await two.turn("two");
  expect(await runIn(home, "a1", "fresh")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("throughline link"),
  });
  expect(promptsTold(await two.clear("b2"))).toEqual(["two"]);
  const clean = await one.clear("a2");
  expect(clean).toEqual({ message: expect.stringContaining("as you asked"), parts: [] });
  await one.turn("three");
  expect(promptsTold(await one.clear("a3"))).toEqual(["three"]);
  await one.turn("four");
  await one.end("prompt_input_exit");
  await runIn(home, undefined, "fresh");
  expect((await new Window(home, 300).start("c1", "startup")).parts).toEqual([]);
});

test("sessions draws who continues whom and why, with what each was told", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("aaaa1", "startup");
  await window.turn("one, with a \u001b[31mcolour\u0007");
  await window.clear("bbbb2");
  await window.turn("two");
  await window.end("other");
  await new Window(home, 200).start("cccc3", "startup");
  const { stdout } = await runIn(home, undefined, "sessions");
  expect(
    stdout.replace(/\d\d:\d\d:\d\d/g, "HH:MM:SS").replace(/[\d,]+ characters/g, "N characters"),
  ).toMatchInlineSnapshot(`
    "aaaa1  2026-11-30 HH:MM:SS  ended (clear), 1 turn; first session of the project "one, with a colour"
    bbbb2  2026-11-30 HH:MM:SS  ended (other), 1 turn, continues (exact); told 1 in full, 0 as lines, N characters "two"
    cccc3  2026-11-30 HH:MM:SS  open, 0 turns, continues (heuristic); told 2 in full, 0 as lines, N characters
    "
  `);
  const rows = JSON.parse((await runIn(home, undefined, "sessions", "--json")).stdout);
  expect(rows.map((row: Record<string, unknown>) => [row.sessionId, row.turns, row.linkReason])).toEqual([
    ["aaaa1", 1, null],
    ["bbbb2", 1, "exact"],
    ["cccc3", 0, "heuristic"],
  ]);
});

test("restore prints blocks that Claude Code lets through, together the whole", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  await window.start("a1", "startup");
  for (let n = 1; n <= 22; n += 1) await window.turn(`question ${n}`, `${"long answer ".repeat(250)} end ${n}`);
  const whole = (await runIn(home, "x", "restore", "a1")).stdout;
  expect(whole.length).toBeGreaterThan(50_000);
  const blocks = [];
  for (const n of [1, 2, 3, 4]) blocks.push((await runIn(home, "x", "restore", "a1", "--block", `${n}`)).stdout);
  expect(blocks[3]).toBe("\n");
  for (const block of blocks) expect(block.length).toBeLessThanOrEqual(29_001);
  expect(blocks.slice(0, 3).join("")).toBe(whole);
});
