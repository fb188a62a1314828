import { expect, test } from "bun:test";
import { estimateTokens } from "../../src/context/tokens.ts";

test.each([
  ["", 0],
  ["abcd", 1],
  ["abcde", 2],
  ["one two\nthree", 4],
  ["認証の設定", 5],
  ["設定 ok", 3],
])("%p is about %i tokens", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
