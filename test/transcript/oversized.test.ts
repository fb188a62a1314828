import { describe, expect, test } from "bun:test";
import { slimLine } from "../../src/transcript/oversized.ts";
import { growth, mostGrowth } from "../fixtures/growth.ts";
import { type Random, scraps, seeded, seeds } from "../fixtures/random.ts";

const slim = (text: string): string => slimLine(Buffer.from(text)).toString();
const base64 = Buffer.from("image".repeat(1_000)).toString("base64");
const known = (data: string) => ({
  length: data.length,
  ending: data.slice(-2),
  hash: Bun.hash(data).toString(16).padStart(16, "0"),
});

const names = ["toolUseResult", "source", "data", "type", "a", "toolUseResul", 'x"toolUseResult":', "認証", "", "dáta"];
const lookAlikes = ['{"toolUseResult":1}', '"source":{"data":"', "\\", '\\"', "}]", '","toolUseResult":{', "\u0000"];
const blanks = ["", "", "", " ", "\t", "\r\n "];

/** Text of a random JSON value: odd blanks, odd escapes, keys that occur twice, keys that only look alike. */
function jsonText(random: Random, depth: number): string {
  const blank = () => random.pick(blanks);
  const list = (item: () => string) => Array.from({ length: random.int(0, 4) }, item).join(`${blank()},${blank()}`);
  switch (random.int(0, depth > 0 ? 7 : 4)) {
    case 0:
      return random.pick(["0", "-1.5e+10", "12", "true", "false", "null", "1E3"]);
    case 1:
      return `"${base64.slice(0, random.int(1_500, 4_000))}"`;
    case 2:
    case 3:
      return JSON.stringify(random.text([...scraps, ...lookAlikes], random.int(0, 6)));
    case 4:
      return random.pick(['"\\u00e9\\/\\b"', '""', '"\\ud800"', '"\\\\"']);
    case 5:
      return `[${blank()}${list(() => jsonText(random, depth - 1))}${blank()}]`;
    default:
      return objectText(random, depth);
  }
}

function objectText(random: Random, depth: number): string {
  const blank = () => random.pick(blanks);
  const member = () =>
    `${blank()}${JSON.stringify(random.pick(names))}${blank()}:${blank()}${jsonText(random, depth - 1)}${blank()}`;
  return `${blank()}{${Array.from({ length: random.int(1, 6) }, member).join(",")}}${blank()}`;
}

/** What is to be left of a parsed line. */
function slimValue(value: unknown, key = "", depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => slimValue(item, "", depth + 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (depth === 0 && name === "toolUseResult") return [name, null];
      if (key === "source" && name === "data" && typeof member === "string" && /^[A-Za-z0-9+/=]{1025,}$/.test(member)) {
        return [name, known(member)];
      }
      return [name, slimValue(member, name, depth + 1)];
    }),
  );
}

describe("what is left of a line", () => {
  test.each(seeds(100))("is the line without those values, seed %i", (seed) => {
    const random = seeded(seed);
    for (let round = 0; round < 20; round += 1) {
      const text = objectText(random, 5);
      expect(JSON.parse(slim(text))).toEqual(slimValue(JSON.parse(text)));
    }
  });

  test.each([
    ["the result's copy", '{"a":1,"toolUseResult":{"stdout":"x\\"}"},"b":2}', '{"a":1,"toolUseResult":null,"b":2}'],
    ["a copy that is a text", '{"toolUseResult" : "x" }', '{"toolUseResult" : null }'],
    ["not one further in", '{"data":{"toolUseResult":[1]}}', '{"data":{"toolUseResult":[1]}}'],
    ["not in a list", '[{"toolUseResult":[1]}]', '[{"toolUseResult":[1]}]'],
    ["not a word in a text", '{"a":"\\"toolUseResult\\":{}"}', '{"a":"\\"toolUseResult\\":{}"}'],
    ["an image in the copy", `{"toolUseResult":[{"source":{"data":"${base64}"}}]}`, '{"toolUseResult":null}'],
    ["not a short image", '{"source":{"data":"aGVsbG8="}}', '{"source":{"data":"aGVsbG8="}}'],
    ["not data elsewhere", `{"data":"${base64}"}`, `{"data":"${base64}"}`],
    [
      "an image",
      `[{"source":{"type":"base64","data":"${base64}"}}]`,
      `[{"source":{"type":"base64","data":${JSON.stringify(known(base64))}}}]`,
    ],
  ])("%s", (_, line, left) => {
    expect(slim(line)).toBe(left);
  });
});

describe("a line that is no JSON stays none", () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  test.each(seeds(100))("damaged or cut off, seed %i", (seed) => {
    const random = seeded(seed);
    const line = Buffer.from(objectText(random, 4));
    for (let round = 0; round < 50; round += 1) {
      const damaged = Buffer.from(line.subarray(0, random.pick([line.length, random.int(0, line.length)])));
      const bytes = random.pick([[0x22], [0x5c], [0x2c], [0x7b], [0x7d], [0x0a, 0x20], [random.int(0, 255)]]);
      damaged.set(bytes.slice(0, damaged.length), random.int(0, Math.max(0, damaged.length - bytes.length)));
      expect(isJson(slimLine(damaged).toString())).toBe(isJson(damaged.toString()));
    }
  });

  test.each([
    "",
    "{",
    '{"toolUseResult":{a}}',
    '{"toolUseResult":01}',
    '{"toolUseResult":"\\x"}',
    '{"toolUseResult":"\\u12g4"}',
    '{"toolUseResult":"a\tb"}',
    '{"toolUseResult":[1,]}',
    '{"toolUseResult":{"a":1,}}',
    '{"toolUseResult":[}',
    '{"toolUseResult":1}{"a":2}',
    '{"toolUseResult"}',
    '{"toolUseResult":',
    '{"toolUseResult":1,',
    '{"toolUseResult":"\\',
    "{toolUseResult:1}",
    "\ufeff{}",
  ])("%s", (line) => {
    expect(slim(line)).toBe(line);
  });
});

test.each([
  ["text", "word "],
  ["backslashes", "\\\\"],
  ["quotation marks", '\\"'],
])("linear in %s", (_, unit) => {
  const line = (length: number) => `{"toolUseResult":{"a":"${unit.repeat(length)}"},"b":["${unit.repeat(length)}"]}`;
  expect(growth((text) => slim(text), line)).toBeLessThan(mostGrowth);
});

test("linear in depth", () => {
  const line = (length: number) => `{"toolUseResult":${"[".repeat(length)}${"]".repeat(length)}}`;
  expect(growth((text) => slim(text), line)).toBeLessThan(mostGrowth);
});
