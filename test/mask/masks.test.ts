import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultMasks, masksOf, maskText, patternProblem } from "../../src/mask/masks.ts";
import { scraps, seeded, seeds } from "../fixtures/random.ts";
import { innocentSamples, type Sample, secretSamples } from "./corpus.ts";

const drawn = (samples: (seed: number) => Sample[]): Sample[] => seeds(40).flatMap(samples);
const rate = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`;

test("the corpus: nearly every secret is masked, next to nothing else is", () => {
  const secrets = drawn(secretSamples);
  const long = "what tools print all day\n".repeat(400);
  const missed = secrets.filter(({ text, secret }) =>
    [text, `${long}${text}\n${long}`].some((around) => maskText(around).includes(secret as string)),
  );
  const innocent = drawn(innocentSamples);
  const alarms = innocent.filter(({ text }) => maskText(text) !== text);
  process.stdout.write(
    `masks: ${rate(secrets.length - missed.length, secrets.length)} of ${secrets.length} secrets, ` +
      `${rate(alarms.length, innocent.length)} false alarms in ${innocent.length} texts\n`,
  );
  const names = (samples: Sample[]) => [...new Set(samples.map(({ name }) => name))];
  expect({ missed: names(missed), alarms: names(alarms) }).toEqual({ missed: [], alarms: [] });
});

test("a long reading masks what a single text does", () => {
  const { details } = masksOf({ mask: "on", mask_conversation: "off", mask_patterns: ["ACME-\\d{4}"] });
  const samples = [...drawn(secretSamples), ...drawn(innocentSamples), { name: "own", text: "see ACME-1234" }];
  const mask = ({ text }: Sample): string => details(text);
  const early = samples.slice(0, 50).map(mask);
  details("what tools print all day\n".repeat(20_000));
  expect(samples.slice(0, 50).map(mask)).toEqual(early);
  for (const { text } of samples)
    expect(details(text)).toBe(maskText(text).replace("ACME-1234", "[masked: own pattern]"));
});

test("what stands around a secret stays", () => {
  expect(maskText("postgres://app:s3cr3tPw9@db/app")).toBe("postgres://app:[masked: password]@db/app");
  expect(maskText(`DB_PASSWORD="aB3dE5fG7"\nPORT=80`)).toBe(`DB_PASSWORD="[masked: password]"\nPORT=80`);
});

test("transcripts as clients wrote them have nothing to mask", () => {
  const folder = join(import.meta.dir, "../fixtures/transcripts");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    expect(
      lines.filter((line) => maskText(line) !== line).map((line) => maskText(line).match(/.{40}\[masked.{40}/)?.[0]),
    ).toEqual([]);
  }
});

test("masking twice is masking once, whatever stands around it; nothing is half a character", () => {
  for (const seed of seeds(60)) {
    const random = seeded(seed);
    const samples = [...secretSamples(seed), ...innocentSamples(seed)];
    const text = Array.from(
      { length: 12 },
      () => random.pick(samples).text + random.pick(["\n", " ", "", "。"]) + random.text(scraps, 3),
    ).join("");
    const once = maskText(text);
    expect(maskText(once)).toBe(once);
    expect(once.isWellFormed()).toBe(true);
  }
});

test("linear: a megabyte of what a pattern begins with takes no time", () => {
  for (const piece of [
    "-----BEGIN RSA PRIVATE KEY-----",
    "://a:",
    "PASSWORD=",
    "authorization: bearer ",
    "eyJaaaaaaaaaa.",
    "KEY_",
    "A",
    "sk-",
    "password: ",
    "?token=",
    "token=",
    "xox",
  ]) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const started = performance.now();
    maskText(text);
    expect(performance.now() - started).toBeLessThan(2_000);
  }
});

describe("settings", () => {
  const secret = `npm${"_"}${"a1".repeat(18)}`;

  test("off is off; the conversation is masked where it is asked for", () => {
    expect(defaultMasks().details(secret)).toBe("[masked: npm token]");
    expect(defaultMasks().words(secret)).toBe(secret);
    const both = masksOf({ mask: "on", mask_conversation: "on", mask_patterns: [] });
    expect(both.words(secret)).toBe("[masked: npm token]");
    const off = masksOf({ mask: "off", mask_conversation: "on", mask_patterns: ["x"] });
    expect([off.details(secret), off.words(secret)]).toEqual([secret, secret]);
  });

  test("patterns of the person's own", () => {
    const own = masksOf({ mask: "on", mask_conversation: "off", mask_patterns: ["ACME-\\d{4}"] });
    expect(own.details("the badge ACME-1234 of ACME")).toBe("the badge [masked: own pattern] of ACME");
  });

  test.each([
    ["(", "nterminated"],
    ["a*", "match nothing"],
    ["(a+)+$", "must not repeat within"],
    ["(?:x|y{2,})*z", "must not repeat within"],
    ["x".repeat(501), "500 characters"],
  ])("a pattern that cannot be used says why: %s", (pattern, why) => {
    expect(patternProblem(pattern)?.toLowerCase()).toContain(why.toLowerCase().replace("nterminated", "missing )"));
  });
});
