import { expect, test } from "bun:test";
import { argumentsFor, inputFor } from "../../src/summarize/client.ts";
import { answerSchema, instructions, renderPrompt } from "../../src/summarize/prompt.ts";
import { batchLimits, lineLimit, longestText, nextBatch, type Wanted } from "../../src/summarize/queue.ts";
import { seeded, seeds } from "../fixtures/random.ts";

const wanted = (id: number, length: number, tries = 0): Wanted => {
  const text = "x".repeat(length);
  return { id, text, said: text, stored: text, tries, reason: tries > 0 ? "too long" : "" };
};

test.each(seeds(50))("every turn goes out once, in order, within the limits (seed %i)", (seed) => {
  const random = seeded(seed);
  const all = Array.from({ length: 60 }, (_, id) =>
    wanted(id, random.int(1, random.pick([100, 2_000, 60_000])), random.pick([0, 0, 0, 0, 1])),
  );
  const sent: number[] = [];
  for (let rest = all; rest.length > 0; ) {
    const batch = nextBatch(rest, batchLimits);
    expect(batch.length).toBeGreaterThan(0);
    expect(batch.length).toBeLessThanOrEqual(batchLimits.turns);
    expect(new Set(batch.map(({ tries }) => tries > 0)).size).toBe(1);
    const output = batch.reduce((sum, { said }) => sum + lineLimit(said), 0);
    if (batch.length > 1) expect(output).toBeLessThanOrEqual(batchLimits.output);
    expect(renderPrompt(batch, "0a1b2c3d").length).toBeLessThan(batchLimits.input + 1_000);
    sent.push(...batch.map(({ id }) => id));
    rest = rest.slice(batch.length);
  }
  expect(sent).toEqual(all.map(({ id }) => id));
});

test("a turn that is too long is sent as head and tail", () => {
  const text = `${"a".repeat(40_000)}MIDDLE${"z".repeat(40_000)}`;
  const prompt = renderPrompt([{ ...wanted(1, 0), text, said: text }], "0a1b2c3d");
  expect(prompt.length).toBeLessThan(longestText + 100);
  expect(prompt).not.toContain("MIDDLE");
  expect(prompt).toMatch(/^<0a1b2c3d 1 max=1600>\na+\n\[…\]\nz+\n<\/0a1b2c3d>$/);
});

test("what is sent beside the turns is small, and no text is among the arguments", () => {
  expect(instructions.length + answerSchema.length).toBeLessThan(900);
  expect(argumentsFor("a-model", []).join(" ")).toContain(
    "--no-session-persistence --setting-sources  --tools  --strict-mcp-config",
  );
  expect(argumentsFor("a-model", ["--tools", "--json-schema"])).not.toContain("--tools");
  expect(argumentsFor("a-model", ["--tools"]).filter((arg) => arg === "")).toHaveLength(1);
  expect(inputFor("text", ["--system-prompt"])).toBe(`${instructions}\n\ntext`);
});
