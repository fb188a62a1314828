import { describe, expect, test } from "bun:test";
import { borderAfter, borderBefore, head, headAndTail, tail } from "../../src/context/clip.ts";
import { scraps, seeded, seeds } from "../fixtures/random.ts";

const family = "👩‍👩‍👧‍👦";
const flag = "🇯🇵";

const borders = (text: string): Set<number> =>
  new Set([...[...new Intl.Segmenter().segment(text)].map(({ index }) => index), text.length]);

describe("borderBefore", () => {
  test.each([
    ["the end", "abc", 3, 0, 3],
    ["past the end", "abc", 9, 0, 3],
    ["the beginning", "abc", 0, 0, 0],
    ["the beginning before a newline", "\nabc", 0, 3, 0],
    ["between letters", "abcdef", 4, 0, 4],
    ["behind a newline that is near", "ab\ncdef", 5, 3, 3],
    ["not behind one that is far", "ab\ncdefgh", 7, 3, 7],
    ["before a family of emoji", `ab${family}`, 6, 0, 2],
    ["before a combining accent's letter", "abe\u0301", 3, 0, 2],
    ["between kanji", "認証設定", 2, 0, 2],
    ["a row of flags, far from its beginning", flag.repeat(500), 1_602, 0, 1_600],
    ["a row of flags behind a letter", `a${flag.repeat(500)}`, 1_602, 0, 1_601],
    ["the end of a carriage return and newline", "ab\r\ncd", 3, 0, 2],
  ])("%s", (_, text, at, near, border) => {
    expect(borderBefore(text, at, near)).toBe(border);
  });

  test("a grapheme longer than the window is torn between two code points", () => {
    const monster = `a${"\u{1d165}".repeat(3_000)}`;
    for (const at of [4_000, 4_001]) {
      const border = borderBefore(monster, at, 0);
      expect(border).toBeGreaterThan(at - 2_200);
      expect(monster.slice(0, border).isWellFormed()).toBe(true);
    }
  });
});

test("every sign of the Basic Multilingual Plane, between letters and beside another one", () => {
  const random = seeded(1);
  const wrong: string[] = [];
  for (let code = 0x20; code < 0xfffe; code += 1) {
    const [sign, other] = [String.fromCharCode(code), String.fromCharCode(code + random.int(1, 200))];
    const text = `ab${sign}cd${sign}${other}${sign}e`;
    if (!text.isWellFormed()) continue;
    const all = borders(text);
    for (let at = 1; at < text.length; at += 1) {
      if (all.has(at) !== (borderBefore(text, at, 0) === at)) wrong.push(`U+${code.toString(16)} in ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ["the beginning", "abc", 0, 0],
  ["between letters", "abcdef", 4, 4],
  ["the end", "abc", 3, 3],
  ["behind a family of emoji", `ab${family}cd`, 6, 13],
  ["a row of flags", flag.repeat(500), 1_602, 1_604],
])("borderAfter: %s", (_, text, at, border) => {
  expect(borderAfter(text, at)).toBe(border);
});

describe("head", () => {
  test.each([
    ["short text as it is", "one line", 20, "one line"],
    ["one line out of several", "one\n\n  two\tthree", 20, "one two three"],
    ["the beginning", "one two three four", 8, "one two…"],
    ["just fitting", "12345678", 8, "12345678"],
    ["one unit too long", "123456789", 8, "1234567…"],
    ["no blank before the ellipsis", "one two three", 5, "one…"],
    ["no half emoji", `abc${family}`, 8, "abc…"],
    ["no half emoji behind many blanks", `${" ".repeat(7)}ab${" ".repeat(6)}👍 and more`, 8, "ab…"],
    ["kanji", "認証の設定を直した", 5, "認証の設…"],
    ["nothing", "", 5, ""],
  ])("%s", (_, text, length, line) => {
    expect(head(text, length)).toBe(line);
  });
});

describe("tail", () => {
  test.each([
    ["short text as it is", "one line", 20, "one line"],
    ["one line out of several", "one\n\n  two\tthree", 20, "one two three"],
    ["the end", "one two three four", 8, "…ee four"],
    ["just fitting", "12345678", 8, "12345678"],
    ["one unit too long", "123456789", 8, "…3456789"],
    ["no blank behind the ellipsis", "one two three", 7, "…three"],
    ["no half emoji", `${family}abc`, 8, "…abc"],
    ["no half emoji before many blanks", `more 👍${" ".repeat(10)}ab${" ".repeat(3)}`, 8, "…ab"],
    ["nothing", "", 5, ""],
  ])("%s", (_, text, length, line) => {
    expect(tail(text, length)).toBe(line);
  });
});

describe("headAndTail", () => {
  const mark = (leftOut: number): string => `[${leftOut}]`;

  test.each([
    ["short text as it is", "one\ntwo", 20, "one\ntwo"],
    ["both ends", "abcdefghijklmnopqrstuvwxyz", 16, "abcdef\n[16]\nwxyz"],
    ["a cut at a line's end", "0123456789\nbcdefghijklmnopqrstuvwxyz0123456789", 27, "0123456789\n[27]\n23456789"],
    ["no room for either end", "abcdefgh", 2, "\n[8]\n"],
    ["no newline at the tail's beginning", `${"a".repeat(30)}\n    bcd`, 24, `${"a".repeat(10)}\n[21]\n    bcd`],
  ])("%s", (_, text, length, expected) => {
    expect(headAndTail(text, length, mark)).toBe(expected);
  });
});

test.each(seeds(200))("seed %i: clips keep to their length, tear nothing and are well-formed", (seed) => {
  const random = seeded(seed);
  const text = random.text(scraps, random.int(0, 400));
  const length = random.int(40, 600);
  const room = borders(text);

  const first = head(text, length);
  expect(first.length).toBeLessThanOrEqual(length);
  expect(first).not.toMatch(/\n|\s\s|^\s/);
  expect(text.replace(/\s+/g, " ").trim()).toStartWith(first.replace(/…$/, ""));

  const last = tail(text, length);
  expect(last.length).toBeLessThanOrEqual(length);
  expect(text.replace(/\s+/g, " ").trim()).toEndWith(last.replace(/^…/, ""));

  const both = headAndTail(text, length, () => "[…]");
  expect(both.length).toBeLessThanOrEqual(Math.max(length, 5));
  for (const clip of [first, last, both]) expect(clip.isWellFormed()).toBe(true);
  if (both !== text) {
    const [start, end] = both.split("\n[…]\n") as [string, string];
    expect(text).toStartWith(start);
    expect(text).toEndWith(end);
    expect(room.has(start.length) && room.has(text.length - end.length)).toBe(true);
  }

  for (let n = 0; n < 20; n += 1) {
    const at = random.int(0, text.length);
    const [before, after] = [borderBefore(text, at, 0), borderAfter(text, at)];
    expect([...room].findLast((border) => border <= at)).toBe(before);
    expect([...room].find((border) => border >= at)).toBe(after);
  }
});
