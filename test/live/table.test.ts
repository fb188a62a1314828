import { describe, expect, test } from "bun:test";
import type { LiveRow } from "../../src/live/rows.ts";
import { ageText, liveTable, sparkline } from "../../src/live/table.ts";

const row = (change: Partial<LiveRow> = {}): LiveRow => ({
  project: "links",
  folder: "/home/mina/links",
  session: "s",
  pid: 1,
  state: "idle",
  waiting_for: null,
  context_tokens: 142_000,
  context_window: 200_000,
  growth: [20_000, 40_000, 60_000, 90_000, 142_000],
  turns: 31,
  clear_keeps: 9_120,
  age: 42_000,
  ...change,
});
const rows = [
  row({ state: "waiting", waiting_for: "permission prompt" }),
  row({
    project: "認証サービスのとても長い名前",
    state: "working",
    context_window: 1_000_000,
    clear_keeps: 0,
    age: 4_200_000,
  }),
  row({
    project: "new",
    state: null,
    context_tokens: null,
    context_window: null,
    growth: [],
    turns: 0,
    clear_keeps: null,
    age: 1_000,
  }),
];

test("what fits is shown, the least needed goes first", () => {
  expect(liveTable(rows, 200)).toMatchInlineSnapshot(`
    "project                       state           context  growth  turns  /clear keeps   for
    links                         waiting  142k/200k 71 %  ▂▃▄▆█      31         ≈9.1k  42 s
    認証サービスのとても長い名前  working    142k/1M 14 %  ▂▃▄▆█      31         clean   1 h
    new                                                                                  1 s"
  `);
  expect(liveTable(rows, 80)).toMatchInlineSnapshot(`
    "project               state           context  growth  turns  /clear keeps   for
    links                 waiting  142k/200k 71 %  ▂▃▄▆█      31         ≈9.1k  42 s
    認証サービスのとて…   working    142k/1M 14 %  ▂▃▄▆█      31         clean   1 h
    new                                                                          1 s"
  `);
  expect(liveTable(rows, 40)).toMatchInlineSnapshot(`
    "project          state           context
    links            waiting  142k/200k 71 %
    認証サービスの…  working    142k/1M 14 %
    new"
  `);
});

describe("no line is wider than the terminal", () => {
  test.each([40, 50, 60, 70, 80, 100, 200])("%d columns", (width) => {
    const many = [...rows, row({ project: "x".repeat(300) }), row({ project: "記".repeat(300), age: 0 })];
    const widths = liveTable(many, width)
      .split("\n")
      .map((line) => Bun.stringWidth(line));
    expect(Math.max(...widths)).toBeLessThanOrEqual(width);
    expect(widths).toHaveLength(many.length + 1);
  });
});

test("no session, and five hundred", () => {
  expect(liveTable([], 80)).toBe("No Claude Code session is live.");
  expect(
    liveTable(
      Array.from({ length: 500 }, (_, n) => row({ pid: n })),
      80,
    ).split("\n"),
  ).toHaveLength(501);
});

test.each([
  [[], ""],
  [[0], "▁"],
  [[1, 2, 4, 8], "▂▃▅█"],
  [[5, 5, 5], "███"],
])("a line for %j", (values, line) => {
  expect(sparkline(values)).toBe(line);
});

test.each([
  [0, "0 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [3_600_000, "1 h"],
  [172_800_000, "2 d"],
])("%d ms", (age, text) => {
  expect(ageText(age)).toBe(text);
});
