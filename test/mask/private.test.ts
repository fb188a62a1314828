import { expect, test } from "bun:test";
import { withoutPrivate } from "../../src/mask/private.ts";

test.each([
  ["no tag at all", "no tag at all"],
  ["my pin is <private>1234</private>, keep going", "my pin is [private], keep going"],
  ["<PRIVATE>a</Private>b", "[private]b"],
  ["two <private>a</private> and <private>b</private>", "two [private] and [private]"],
  ["never closed <private>1234\nand more", "never closed [private]"],
  ["nested <private>a<private>b</private>c</private> end", "nested [private] end"],
  ["closed alone </private> stays", "closed alone </private> stays"],
  ["暗証番号は<private>１２３４</private>です", "暗証番号は[private]です"],
  ["<private></private>", "[private]"],
])("%j", (text, expected) => {
  expect(withoutPrivate(text)).toBe(expected);
  expect(withoutPrivate(expected)).toBe(expected);
});
