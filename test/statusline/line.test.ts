import { describe, expect, test } from "bun:test";
import { renderLine, type Shown, short } from "../../src/statusline/line.ts";

const shown = (change: Partial<Shown> = {}): Shown => ({
  tokens: 142_000,
  window: 200_000,
  kept: 9_120,
  linesWait: false,
  failed: false,
  ...change,
});
const plain = { width: 80, colour: false };

test.each<[string, Partial<Shown>, string]>([
  ["all of it", {}, "142k/200k ▓▓▓▓▓▓▓░░░ 71 % · /clear keeps ≈9.1k"],
  ["an empty context", { tokens: 0, kept: undefined }, "0/200k ░░░░░░░░░░ 0 %"],
  ["more than fits", { tokens: 250_000, kept: undefined }, "250k/200k ▓▓▓▓▓▓▓▓▓▓ 100 %"],
  ["nothing to keep", { kept: 0 }, "142k/200k ▓▓▓▓▓▓▓░░░ 71 % · /clear starts clean"],
  ["lines wait", { linesWait: true }, "142k/200k ▓▓▓▓▓▓▓░░░ 71 % · /clear keeps ≈9.1k · lines wait"],
  ["something failed", { failed: true }, "142k/200k ▓▓▓▓▓▓▓░░░ 71 % · /clear keeps ≈9.1k · ⚠ throughline status"],
  ["no window", { window: undefined }, "142k · /clear keeps ≈9.1k"],
  ["a window of nothing", { window: 0 }, "142k · /clear keeps ≈9.1k"],
  ["a client that says nothing", { tokens: undefined, window: undefined }, "/clear keeps ≈9.1k"],
  ["nothing at all", { tokens: undefined, window: undefined, kept: undefined }, ""],
])("%s", (_, change, line) => {
  expect(renderLine(shown(change), plain)).toBe(line);
});

test.each([
  [84, "142k/200k ▓▓▓▓▓▓▓░░░ 71 % · /clear keeps ≈9.1k · lines wait · ⚠ throughline status"],
  [72, "142k/200k ▓▓▓▓▓▓▓░░░ 71 % · /clear keeps ≈9.1k · ⚠ throughline status"],
  [60, "142k/200k 71 % · /clear keeps ≈9.1k · ⚠ throughline status"],
  [40, "142k/200k 71 % · /clear keeps ≈9.1k"],
  [30, "142k/200k · /clear keeps ≈9.1k"],
  [20, "142k/200k"],
  [5, ""],
])("in %d columns", (width, line) => {
  expect(renderLine(shown({ linesWait: true, failed: true }), { width, colour: false })).toBe(line);
});

describe("colour", () => {
  test.each([
    [0.69, ""],
    [0.7, "\u001b[33m"],
    [0.9, "\u001b[1;33m"],
  ])("at %d of the window", (share, start) => {
    const at = { tokens: share * 200_000 };
    const line = renderLine(shown(at), { width: 80, colour: true });
    expect(line.startsWith(`${start}${short(at.tokens)}`)).toBe(true);
    expect(Bun.stripANSI(line)).toBe(renderLine(shown(at), plain));
  });
});

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1k"],
  [4_249, "4.2k"],
  [9_949, "9.9k"],
  [9_950, "10k"],
  [142_499, "142k"],
  [999_499, "999k"],
  [999_500, "1M"],
  [1_250_000, "1.3M"],
])("%d tokens", (tokens, text) => {
  expect(short(tokens)).toBe(text);
});
