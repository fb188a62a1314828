import { describe, expect, test } from "bun:test";
import { isReadOnlyCall } from "../../src/hooks/call.ts";
import { growth, mostGrowth } from "../fixtures/growth.ts";
import { type Random, seeded, seeds } from "../fixtures/random.ts";

const allowed = [
  "throughline status",
  "throughline status --json",
  "throughline detail",
  "throughline detail 14:23:05",
  "throughline detail 14:23-14:30",
  "throughline detail 2026-11-29",
  "throughline detail 2026-11-29 13:02",
  'throughline detail "2026-11-29 13:02"',
  "throughline detail '2026-11-29 13:02'",
  "throughline detail 14:23:05#2",
  "throughline detail 14:23 --page 2",
  "throughline detail 14:23 --page=2",
  'throughline detail 14:23 --session="0123abcd-4567"',
  "throughline detail --session 0123abcd-4567 14:23",
  "throughline detail  14:23 ",
  "throughline search 認証 設定",
  "throughline search 'größe der Tür'",
  "throughline search e\u0301tat",
];

test.each(allowed)("%p is allowed", (command) => {
  expect(isReadOnlyCall(command)).toBe(true);
});

describe("is asked about", () => {
  test.each([
    ["nothing", ""],
    ["another program", "ls"],
    ["another program's argument", "echo throughline status"],
    ["a path to a program of that name", "./throughline status"],
    ["a longer name", "throughline-evil status"],
    ["upper case", "Throughline status"],
    ["no command", "throughline"],
    ["a command that writes", "throughline link 0123abcd"],
    ["a command that forgets", "throughline forget 14:23 --yes"],
    ["a command that prunes", "throughline db prune --older-than 90d --yes"],
    ["a hook", "throughline hook stop"],
    ["a longer command", "throughline statuses"],
    ["an option before the command", "throughline --cwd=/ status"],
    ["a blank before it, kept out of the person's history", " throughline status"],
    ["an assignment", "A=1 throughline status"],
    ["an assignment of the loader", "LD_PRELOAD=./x.so throughline status"],
    ["an assignment behind it", "throughline status A=1"],
    ["the end of options", "throughline search -- word"],
    ["options that begin with a sign", "throughline search ---x"],
    ["an option with an upper-case letter", "throughline search -E"],
    ["an option with a home folder", "throughline status --to=~/x"],
    ["an option without a value", "throughline status --to="],
    ["a home folder", "throughline search ~/x"],
    ["another's home folder", "throughline search ~root"],
    ["a comment", "throughline search #x"],
    ["a quote that ends early", 'throughline search "a"b'],
    ["a quote that ends early before a command", `throughline search 'a';touch x'`],
    ["a quote in a quote", `throughline search "a'b"`],
    ["an open quote", 'throughline search "a'],
    ["a quote's escape", 'throughline search "a\\"'],
    ["a newline in quotes", 'throughline search "a\nb"'],
    ["a tab", "throughline\tstatus"],
    ["a newline behind it", "throughline status\n"],
    ["a newline and a command", "throughline status\ntouch x"],
    ["a carriage return", "throughline status\rtouch x"],
    ["a line separator", "throughline status\u2028touch x"],
    ["a null", "throughline status\0"],
  ])("%s", (_, command) => {
    expect(isReadOnlyCall(command)).toBe(false);
  });
});

const shellSigns = [..."|&;<>()$`\\\"'*?[]{}~!^=\n\r\t\0"];
const phrases = [
  "; touch x",
  "&& touch x",
  "|| touch x",
  "| sh",
  "& touch x",
  "> x",
  ">> x",
  "2>&1",
  "< x",
  "<(ls)",
  "<<< x",
  "<<EOF",
  "$HOME",
  `\${HOME}`,
  "$(touch x)",
  "`touch x`",
  "$'\\n'",
  "*",
  "?x",
  "[a-z]",
  "{a,b}",
  "~",
  "!!",
  "\\",
  "a\\ b",
  "A=1",
  '"',
  "'",
  '"$HOME"',
  "'a'\"b\"",
];
const blanks = [
  "\t",
  "\v",
  "\f",
  "\u0085",
  "\u00a0",
  "\u00ad",
  "\u034f",
  "\u115f",
  "\u1160",
  "\u1680",
  "\u180e",
  "\u2000",
  "\u2003",
  "\u200b",
  "\u200d",
  "\u200e",
  "\u202e",
  "\u202f",
  "\u205f",
  "\u2060",
  "\u2800",
  "\u3000",
  "\u3164",
  "\ufe0f",
  "\ufeff",
  "\uffa0",
  "\u{e0020}",
];

const inserted = (random: Random, command: string, part: string): string => {
  const at = random.int(0, command.length);
  return command.slice(0, at) + part + command.slice(at);
};

describe.each(seeds(40))("seed %i", (seed) => {
  test("no command is allowed with a hostile piece anywhere in it", () => {
    const random = seeded(seed);
    for (let n = 0; n < 50; n += 1) {
      const bare = random.pick(allowed.filter((command) => !/["']/.test(command) && !/--\w+=/.test(command)));
      for (const parts of [shellSigns.filter((sign) => sign !== "="), phrases, blanks]) {
        const part = random.pick(parts);
        const command = inserted(random, bare, part);
        expect([command, isReadOnlyCall(command)]).toEqual([command, false]);
      }
    }
  });

  test("what is allowed holds no sign that a shell acts on, outside a pair of quotes around harmless text", () => {
    const random = seeded(seed);
    const parts = [...shellSigns, ...phrases, ...blanks, " ", " ", "a", "認証", "14:23", "--page", "2"];
    for (let n = 0; n < 500; n += 1) {
      const command = `throughline ${random.pick(["detail", "status", "search"])} ${random.text(parts, random.int(1, 4))}`;
      if (!isReadOnlyCall(command)) continue;
      const unquoted = command.replace(/ (--[a-z-]+=)?("[^"$`\\!\n]*"|'[^'\n]*')(?= |$)/g, " $1");
      expect(unquoted.replace(/ --?[a-z-]+=/g, " ")).not.toMatch(/[|&;<>()$`\\"'*?[\]{}~!^=\n\r\t\0]|\s(?! |\S|$)/);
      expect(command).not.toMatch(/[^\S ]/);
    }
  });
});

test("a call may be as long as a person would write it, and no longer", () => {
  expect(isReadOnlyCall(`throughline search ${"a ".repeat(900)}`)).toBe(true);
  expect(isReadOnlyCall(`throughline search ${"a ".repeat(1_000)}`)).toBe(false);
});

test.each([
  ["letters", (n: number) => `throughline search ${"a".repeat(n)};`],
  ["words", (n: number) => `throughline search ${"a ".repeat(n / 2)};`],
  ["blanks", (n: number) => `throughline search ${" ".repeat(n)};`],
  ["a quoted text", (n: number) => `throughline search "${"a ".repeat(n / 2)};`],
  ["options", (n: number) => `throughline search ${"--a=b ".repeat(n / 6)};`],
  ["hyphens", (n: number) => `throughline search --${"a-".repeat(n / 2)};`],
])("a long command of %s takes time in proportion", (_, textOf) => {
  expect(growth(isReadOnlyCall, textOf)).toBeLessThan(mostGrowth);
});
