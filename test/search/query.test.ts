import { describe, expect, test } from "bun:test";
import { finderOf, parseQuery, snippetOf } from "../../src/search/query.ts";
import { matcherOf, rank } from "../../src/search/rank.ts";

test.each([
  ["認証 timeout", { terms: ["認証", "timeout"], without: [] }],
  ['"exit code 137" -test', { terms: ["exit code 137"], without: ["test"] }],
  ['-"two words" src/a.ts', { terms: ["src/a.ts"], without: ["two words"] }],
  ["--flag", { terms: [], without: ["-flag"] }],
  ["", undefined],
  ["-only", undefined],
])("%j", (text, expected) => {
  expect(parseQuery(text)).toEqual(expected?.terms.length === 0 ? undefined : expected);
});

test.each([
  ["a.b", "xa.by", true],
  ["a.b", "axb", false],
  ["証", "認証", true],
  ["ERROR", "an error", true],
  ["ß(", "ẞ(", true],
  ["[x]", "[x]", true],
  ["\\d", "\\d+", true],
])("%j in %j: %p", (term, text, expected) => {
  expect(text.search(finderOf(term)) !== -1).toBe(expected);
});

test("a snippet is one line around the first hit, with every hit marked", () => {
  const text = `${"before ".repeat(40)}the token\nexpired at noon, token renewed ${"after ".repeat(80)}`;
  const snippet = snippetOf(text, [finderOf("token"), finderOf("noon")], (hit) => `**${hit}**`);
  expect(snippet).toContain("the **token** expired at **noon**, **token** renewed");
  expect(snippet).toStartWith("…");
  expect(snippet).toEndWith("…");
  expect(snippetOf("😀".repeat(200), [finderOf("😀")], (hit) => hit).isWellFormed()).toBe(true);
});

describe("ranking", () => {
  const now = Date.UTC(2026, 10, 30);
  const ids = (texts: [number, string][], terms: string[], without: string[] = [], at = (_: number) => 0) => {
    const match = matcherOf({ terms, without });
    const matches = [...Map.groupBy(texts, ([turnId]) => turnId)].flatMap(([turnId, pieces]) => {
      const turn = { turnId, startedAt: at(turnId) };
      return (
        match(
          turn,
          pieces.map(([, text]) => ({ where: "user", text })),
        ) ?? []
      );
    });
    return rank(matches, now).map(({ turnId }) => turnId);
  };

  test("every term in the turn, wherever; none of the others", () => {
    const texts: [number, string][] = [
      [1, "alpha"],
      [1, "beta"],
      [2, "alpha"],
      [3, "alpha beta gamma"],
    ];
    expect(ids(texts, ["alpha", "beta"]).sort()).toEqual([1, 3]);
    expect(ids(texts, ["alpha", "beta"], ["gamma"])).toEqual([1]);
  });

  test("more of it and less beside it goes first; of two alike the newer one", () => {
    expect(
      ids(
        [
          [1, `word ${"x ".repeat(400)}`],
          [2, "word word"],
          [3, "nothing"],
        ],
        ["word"],
      ),
    ).toEqual([2, 1]);
    expect(
      ids(
        [
          [1, "word"],
          [2, "word"],
          [3, "x"],
        ],
        ["word"],
        [],
        (id) => (id === 1 ? now : 0),
      ),
    ).toEqual([1, 2]);
  });

  test("a term within another is found by itself", () => {
    expect(
      ids(
        [
          [1, "設定 と 設定値"],
          [2, "設定"],
        ],
        ["設定", "設定値"],
      ),
    ).toEqual([1]);
  });
});
