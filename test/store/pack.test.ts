import { describe, expect, test } from "bun:test";
import { pack, unpack } from "../../src/store/pack.ts";
import { scraps, seeded, seeds } from "../fixtures/random.ts";

test.each([
  ["an empty text", ""],
  ["a short text", "out"],
  ["255 units", "x".repeat(255)],
  ["a null in it", `a\0b${"\0".repeat(300)}`],
  ["one character again and again", "認".repeat(5_000)],
  ["a log", "2026-11-30 INFO started\n".repeat(2_000)],
])("%s comes back as it was", (_, text) => {
  expect(unpack(pack(text))).toBe(text);
});

test("no text is no value", () => {
  expect(pack(undefined)).toBeNull();
  expect(unpack(null)).toBeUndefined();
});

describe("compression", () => {
  test("begins at 256 bytes", () => {
    expect(pack("x".repeat(255))).toBeString();
    expect(pack("x".repeat(256))).toBeInstanceOf(Uint8Array);
    expect(pack("認".repeat(86))).toBeInstanceOf(Uint8Array);
  });

  test("makes a log much smaller", () => {
    const log = "2026-11-30 INFO started\n".repeat(2_000);
    expect((pack(log) as Uint8Array).length).toBeLessThan(log.length / 50);
  });

  test("is left where it would not be smaller", () => {
    const random = seeded(1);
    const letters = [..."0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"];
    const dense = random.text([...letters, ...letters.map((letter) => `${letter}\u00a0`)], 256);
    const packed = pack(dense);
    expect(unpack(packed)).toBe(dense);
    expect(typeof packed === "string" || packed === null ? 0 : packed.length).toBeLessThan(Buffer.byteLength(dense));
  });
});

test.each(seeds(50))("seed %i: any well-formed text comes back as it was", (seed) => {
  const random = seeded(seed);
  const text = random.text([...scraps, "\0", "\u001b[31m", "\ufffd", "\uffff"], random.int(0, 500));
  expect(unpack(pack(text))).toBe(text);
});
