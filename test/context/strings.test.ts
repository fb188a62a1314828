import { describe, expect, test } from "bun:test";
import { noteLimit, partLimit } from "../../src/context/parts.ts";
import { detectLanguage, strings } from "../../src/context/strings.ts";

test.each([
  ["no text", [], "en"],
  ["English", ["Fix the login, please."], "en"],
  ["Japanese", ["ログインを直してください。"], "ja"],
  ["half-width kana", ["ﾛｸﾞｲﾝｦ ﾅｵｼﾃ"], "ja"],
  ["Japanese around much code", ["これを直して:", "const a = await fetch(url);\n".repeat(3)], "ja"],
  ["Japanese around a long log", ["直して", "INFO started\n".repeat(100)], "en"],
  ["one Japanese word in English", ["What does 続き mean here, and why is it in the list?"], "en"],
  ["Chinese", ["请修复登录页面的错误。"], "en"],
  ["Korean", ["로그인을 고쳐 주세요."], "en"],
  ["the beginning decides", ["Fix it. ".repeat(2_500), "直してください。".repeat(5_000)], "en"],
])("the language of %s", (_, texts, language) => {
  expect(detectLanguage(texts)).toBe(language as "en" | "ja");
});

describe.each(["en", "ja"] as const)("%s", (language) => {
  const say = strings[language];

  test("an age in its largest unit", () => {
    const ages = [0, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 8.64e9].map(say.age);
    if (language === "en")
      expect(ages).toEqual([
        "0 seconds",
        "0 seconds",
        "1 second",
        "59 seconds",
        "1 minute",
        "59 minutes",
        "1 hour",
        "23 hours",
        "1 day",
        "100 days",
      ]);
    else expect(ages).toEqual(["0秒", "0秒", "1秒", "59秒", "1分", "59分", "1時間", "23時間", "1日", "100日"]);
  });

  test("the note of a missing part fits the room kept for it", () => {
    const label = "2026-11-30 14:23:05#10";
    expect(say.missingPart(7, `${label}-${label}`).length + "\n".length).toBeLessThanOrEqual(noteLimit);
    expect(partLimit).toBeLessThan(10_000);
  });

  test("one turn is no turns, and what is missing is not mentioned", () => {
    expect(say.restored(1, 0, "50", undefined)).not.toMatch(/turns|要約|instead|元は/);
    expect(say.restored(20, 14, "8,100", "141,000")).toMatch(/20 .*14 .*8,100 .*141,000/);
  });
});
