import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTranscript, readStretch, type Transcript, tailAt } from "../../src/transcript/read.ts";

const folder = mkdtempSync(join(tmpdir(), "read-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function write(content: string | Uint8Array): string {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  writeFileSync(path, content);
  return path;
}

const open = (path: string): Transcript => openTranscript(path) as Transcript;

function readAll(path: string, from = 0): { lines: string[]; next: number; stretches: number } {
  using transcript = open(path);
  const lines: string[] = [];
  let next = from;
  let stretches = 0;
  for (let stretch = readStretch(transcript, next); stretch; stretch = readStretch(transcript, next)) {
    lines.push(...stretch.lines);
    next = stretch.next;
    stretches += 1;
  }
  return { lines, next, stretches };
}

describe("complete lines", () => {
  test.each([
    ["an empty file", "", [], 0],
    ["one line", "a\n", ["a"], 2],
    ["an unfinished last line waits", "a\nb", ["a"], 2],
    ["an unfinished only line waits", "abc", [], 0],
    ["blank lines are lines", "\n\na\n", ["", "", "a"], 4],
    ["several bytes to a character", "認証\n👍\n", ["認証", "👍"], 12],
    ["the line ends of Windows stay with the line", "a\r\nb\r\n", ["a\r", "b\r"], 6],
    ["separators that are no line ends", "a\u2028b\u0085c\n", ["a\u2028b\u0085c"], 9],
  ])("%s", (_, content, lines, next) => {
    expect(readAll(write(content))).toMatchObject({ lines, next });
  });

  test("from an offset on, and what was appended since", () => {
    const path = write("one\ntwo\nthr");
    expect(readAll(path, 4)).toMatchObject({ lines: ["two"], next: 8 });
    appendFileSync(path, "ee\nfour\n");
    expect(readAll(path, 8)).toMatchObject({ lines: ["three", "four"], next: 19 });
    expect(readAll(path, 19)).toMatchObject({ lines: [], next: 19 });
    expect(readAll(path, 500)).toMatchObject({ lines: [], next: 500 });
  });

  test("bytes that are no UTF-8 become replacement characters, and the line after them is whole", () => {
    const content = new Uint8Array([0x61, 0xff, 0xfe, 0x0a, 0x62, 0x0a]);
    expect(readAll(write(content))).toMatchObject({ lines: ["a\ufffd\ufffd", "b"], next: 6 });
  });

  test("a large file comes in stretches, each line whole, wherever the cuts fall", () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `${n} ${"認証👍".repeat(n % 800)}`);
    const read = readAll(write(`${lines.join("\n")}\n`));
    expect(read.stretches).toBeGreaterThan(1);
    expect(read.lines).toEqual(lines);
  });

  test("a line longer than a stretch is read whole", () => {
    const long = "認".repeat(4_000_000);
    const { lines } = readAll(write(`a\n${long}\nb\n`));
    expect(lines.length).toBe(3);
    expect(lines[1] === long).toBe(true);
  });

  test("a line longer than any seen comes without what is never kept", () => {
    const large = JSON.stringify({ type: "user", toolUseResult: "認".repeat(4_000_000), uuid: "u" });
    const invalid = `${large}}`;
    const { lines } = readAll(write(`a\n${large}\nb\n${invalid}\nc\n`));
    expect(lines.length).toBe(5);
    expect([lines[0], lines[1], lines[2], lines[4]]).toEqual([
      "a",
      '{"type":"user","toolUseResult":null,"uuid":"u"}',
      "b",
      "c",
    ]);
    expect(lines[3] === invalid).toBe(true);
  });

  test("a line longer than a stretch that is unfinished waits", () => {
    const path = write(`a\n${"x".repeat(5_000_000)}`);
    expect(readAll(path)).toMatchObject({ lines: ["a"], next: 2 });
  });
});

test("what is appended while it is open is read the next time", () => {
  const path = write("a\n");
  using transcript = open(path);
  appendFileSync(path, "b\n");
  expect(readStretch(transcript, 0)).toEqual({ lines: ["a"], next: 2 });
  expect(readStretch(transcript, 2)).toBeUndefined();
});

test("a file that is missing is none; one in a folder that is a file is an error", () => {
  expect(openTranscript(join(folder, "missing.jsonl"))).toBeUndefined();
  expect(() => openTranscript(join(write("a\n"), "x.jsonl"))).toThrow("ENOTDIR");
});

describe("which file it is", () => {
  test("another file under the same name is another transcript; a longer one is the same", () => {
    const path = write("a\n");
    using first = open(path);
    appendFileSync(path, "b\n");
    using longer = open(path);
    expect([longer.fileId, longer.size]).toEqual([first.fileId, 4]);
    rmSync(path);
    writeFileSync(path, "a\nb\n");
    using other = open(path);
    expect(other.fileId).not.toBe(first.fileId);
  });

  test("the bytes before an offset are told apart, those further back are not", () => {
    const before = `${"x".repeat(100)}\nlast line\n`;
    using one = open(write(before));
    using longer = open(write(`${before}more\n`));
    using changed = open(write(before.replace("last", "LAST")));
    using short = open(write("a\n"));
    expect(tailAt(longer, before.length)).toBe(tailAt(one, before.length));
    expect(tailAt(changed, before.length)).not.toBe(tailAt(one, before.length));
    expect(tailAt(short, 2)).not.toBe(tailAt(short, 1));
    expect(tailAt(short, 0)).toBe(tailAt(one, 0));
  });

  test("a file that became shorter has another tail", () => {
    using whole = open(write("one\ntwo\n"));
    using cut = open(write("one\n"));
    expect(tailAt(cut, 8)).not.toBe(tailAt(whole, 8));
  });
});
