import { expect, test } from "bun:test";
import { fuller, mergeOrder } from "../../src/store/merge-order.ts";
import { seeded } from "../fixtures/random.ts";

const times = (key: string): number => Number(key.slice(1));
const merge = (own: string[], other: string[]): string[] => mergeOrder(own, other, (key) => key, times);

test.each([
  ["the same", ["a1", "b2"], ["a1", "b2"], ["a1", "b2"]],
  ["more of it", ["a1"], ["a1", "b2"], ["a1", "b2"]],
  ["less of it", ["b2", "a1"], ["a1"], ["b2", "a1"]],
  ["each went on", ["a1", "c3"], ["a1", "b2"], ["a1", "b2", "c3"]],
  ["nothing in common", ["b2"], ["a1"], ["a1", "b2"]],
  ["nothing here", [], ["b2", "a1"], ["b2", "a1"]],
])("%s", (_, own, other, expected) => {
  expect(merge(own, other)).toEqual(expected);
});

test("both sides come to the same, and once more changes nothing", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = seeded(seed);
    const all = Array.from({ length: 8 }, (_, n) => `${random.pick(["x", "y"])}${n}`);
    const [own, other] = [0, 1].map(() => all.filter(() => random.int(0, 2) > 0)) as [string[], string[]];
    const merged = merge(own, other);
    expect(merge(other, merged)).toEqual(merged);
    expect(merge(merged, other)).toEqual(merged);
    expect(merged.toSorted()).toEqual([...new Set([...own, ...other])].sort());
  }
});

test.each([
  [null, null, null],
  ["a", null, "a"],
  ["ab", "b", "ab"],
  ["a", "b", "b"],
])("of %p and %p the fuller is %p", (a, b, expected) => {
  expect(fuller(a, b)).toBe(expected);
  expect(fuller(b, a)).toBe(expected);
});
