import { expect, test } from "bun:test";
import { addTexts, type Block, emptyBlock, isFull } from "../../src/search/blocks.ts";
import { fold } from "../../src/search/fold.ts";
import { bitsOf, has, signatureBits } from "../../src/search/grams.ts";
import { finderOf } from "../../src/search/query.ts";
import { bitsIn, blocksWith, segmentBlocks, slicesOfSegment, turnOver } from "../../src/search/slices.ts";
import { scraps, seeded, seeds } from "../fixtures/random.ts";

const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

test("what a finder takes for the same character folds to the same, for every character there is", () => {
  const cased = everyCharacter.filter((one) => /\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/u.test(one));
  expect(cased.length).toBeGreaterThan(2_800);
  const all = cased.join("");
  const apart = cased.flatMap((one) => {
    const same = all.match(finderOf(one)) ?? [];
    return same.filter((other) => fold(other) !== fold(one)).map((other) => [one, other]);
  });
  expect(apart).toEqual([]);
  // A character without another case is found as itself alone.
  const rest = everyCharacter.filter((one) => !cased.includes(one)).join("");
  expect(rest.match(new RegExp(`[${all}]`, "iu"))).toBeNull();
});

test("a part of a text folds to a part of the folded text", () => {
  const beside = ["a", " ", "Σ", "ς", "İ", "\u0307", "I", "ß", "ŉ"];
  for (const one of everyCharacter) {
    if (fold(one) === one) continue;
    for (const other of beside) {
      for (const text of [one + other, other + one]) expect(fold(text)).toBe([...text].map(fold).join(""));
    }
  }
});

const mayHave = ({ signature }: Block, term: string) => bitsOf(fold(term)).every((bit) => has(signature, bit));

test.each(seeds(20))("every part of a text is in a block of it, however long both are (seed %d)", (seed) => {
  const random = seeded(seed);
  const word = () => random.int(0, 0xffff).toString(36);
  const texts = Array.from({ length: random.int(1, 8) }, () =>
    Array.from({ length: random.int(1, 8_000) }, () =>
      random.pick([...scraps, word(), " İstanbul ", "ΣΑΣ ", "Straße"]),
    ).join(""),
  );
  let blocks = [emptyBlock()];
  for (const [turn, text] of texts.entries()) blocks.push(...addTexts(blocks.pop() as Block, turn, [text]));
  for (const block of blocks.slice(0, -1)) expect(isFull(block)).toBe(true);
  for (let n = 0; n < 200; n += 1) {
    const turn = random.int(0, texts.length - 1);
    const text = texts[turn] as string;
    const at = random.int(0, text.length - 1);
    const term = text.slice(at, at + random.int(1, 100));
    expect(blocks.some((block) => block.turns.includes(turn) && mayHave(block, term))).toBe(true);
  }
  blocks = blocks.filter((block) => mayHave(block, "no such words as these are there"));
  expect(blocks).toEqual([]);
});

test("rows of a segment say of each block what its signature says", () => {
  const random = seeded(1);
  const blocks = Array.from({ length: segmentBlocks }, () => {
    const block = emptyBlock();
    for (let n = 0; n < 50; n += 1) {
      const bit = random.int(0, signatureBits - 1);
      (block.signature[bit >> 3] as number) |= 1 << (bit & 7);
    }
    return block;
  });
  const slices = turnOver(blocks);
  expect(slices).toHaveLength(slicesOfSegment);
  for (let n = 0; n < 300; n += 1) {
    const block = random.pick(blocks);
    const bits = bitsIn(block.signature).filter(() => random.int(0, 9) === 0);
    const having = bitsIn(blocksWith(bits, (slice) => slices[slice] as Uint8Array));
    const expected = [...blocks.keys()].filter((at) => bits.every((bit) => has((blocks[at] as Block).signature, bit)));
    expect(having).toEqual(expected);
  }
});
