import { expect, test } from "bun:test";
import type { Line } from "../../src/transcript/line.ts";
import { parseLine } from "../../src/transcript/parse.ts";

test.each<[string, string, Line[], number]>([
  ["one object", '{"a":1}', [{ a: 1 }], 0],
  ["a carriage return behind it", '{"a":1}\r', [{ a: 1 }], 0],
  ["a byte order mark before it", '\ufeff{"a":1}', [{ a: 1 }], 0],
  ["NULs around it, as a power cut leaves them", '\0\0\0{"a":1}\0', [{ a: 1 }], 0],
  ["two objects", '{"a":{"b":"}{"}}{"c":"\\"}"}', [{ a: { b: "}{" } }, { c: '"}' }], 0],
  ["three objects, blanks between them", '{"a":1} {"b":2}\t{"c":3}', [{ a: 1 }, { b: 2 }, { c: 3 }], 0],
  ["an object and half of one", '{"a":1}{"b":', [{ a: 1 }], 1],
  ["a broken object and a whole one", '{"a":tru}{"b":2}', [{ b: 2 }], 1],
  ["the end of an object and a whole one", 'x"}{"b":2}', [], 1],
  ["no object but JSON", "[1,2]", [{}], 0],
  ["words", "not json at all", [], 1],
  ["half an object", '{"a":', [], 1],
])("%s", (_, text, lines, damaged) => {
  expect(parseLine(text)).toEqual({ lines, damaged });
});
