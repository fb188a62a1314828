import { describe, expect, test } from "bun:test";
import { resultsOf } from "../../src/transcript/results.ts";

const line = (content: unknown, more: Record<string, unknown> = {}) => ({
  message: { role: "user", content },
  ...more,
});
const result = (content: unknown, id = "t1") => ({ type: "tool_result", tool_use_id: id, content });
const text = (value: string) => ({ type: "text", text: value });
const rejected =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n";

describe("results", () => {
  test.each([
    ["a text", result("out\n"), "out\n"],
    ["blocks", result([text("a"), text("b")]), "a\nb"],
    ["nothing", result(undefined), ""],
    ["a content of a wrong type", result(5), ""],
    ["a reminder behind it", result("out\n\n<system-reminder>\nRead with care.\n</system-reminder>\n"), "out"],
    ["several reminders", result("<system-reminder>a</system-reminder>x<system-reminder>b</system-reminder>"), "x"],
    ["a reminder that is never closed", result("x <system-reminder> y"), "x <system-reminder> y"],
  ])("%s", (_, block, out) => {
    expect(resultsOf(line([block]))).toEqual({
      results: [{ toolUseId: "t1", text: out, media: [] }],
      said: [],
      media: [],
    });
  });

  test("images become placeholders", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJDRA==" } };
    const { results } = resultsOf(line([result([text("seen"), image])]));
    expect(results).toMatchObject([{ text: "seen", media: [{ type: "image/png", bytes: 4 }] }]);
    expect(JSON.stringify(results)).not.toContain("QUJDRA");
  });

  test("several in one line stay apart; one without an id is nobody's", () => {
    const { results } = resultsOf(
      line([result("a", "t1"), { type: "tool_result", content: "lost" }, result("b", "t2")]),
    );
    expect(results.map(({ toolUseId, text: out }) => [toolUseId, out])).toEqual([
      ["t1", "a"],
      ["t2", "b"],
    ]);
  });
});

describe("a person's words", () => {
  test("the reason of a rejection is cut out", () => {
    const { results, said } = resultsOf(line([result(`${rejected}No, use\nthe other file.`)]));
    expect(said).toEqual(["No, use\nthe other file."]);
    expect(results[0]?.text).toEndWith("To tell you how to proceed,");
    expect(results[0]?.text).not.toContain("the other file");
  });

  test("a rejection without a reason says nothing", () => {
    const plain = "The user doesn't want to proceed with this tool use. STOP what you are doing.";
    expect(resultsOf(line([result(plain)]))).toMatchObject({ results: [{ text: plain }], said: [] });
    expect(resultsOf(line([result(rejected)])).said).toEqual([]);
  });

  test("a tool's output that quotes those words is no rejection", () => {
    const log = `log: ${rejected}not a person`;
    expect(resultsOf(line([result(log)]))).toMatchObject({ results: [{ text: log }], said: [] });
  });

  test("answers to questions are cut out, with the questions", () => {
    const told = 'User has answered your questions: "Which?"="The first". You can now continue.';
    const answers = { "Which?": "The first", "And?": ["a", "b"] };
    const { results, said } = resultsOf(line([result(told)], { toolUseResult: { answers } }));
    expect(said).toEqual(['Which?\n→ The first\nAnd?\n→ ["a","b"]']);
    expect(results[0]?.text).toBe("The person answered.");
  });

  test("answers that are not known apart are cut out as they are told", () => {
    const told =
      'User has answered your questions: "Which?"="The first". You can now continue with the user\'s answers in mind.';
    expect(resultsOf(line([result(told)]))).toMatchObject({
      results: [{ text: "The person answered." }],
      said: ['"Which?"="The first"'],
    });
  });

  test("text beside a result is theirs; reminders and interruptions are not", () => {
    const beside = ["The other one.", "<system-reminder>x</system-reminder>", "[Request interrupted by user]", " "].map(
      text,
    );
    expect(resultsOf(line([result("out"), ...beside])).said).toEqual(["The other one."]);
  });
});

test.each([[undefined], [null], ["text"], [5], [{}]])("a content %p has no results", (content) => {
  expect(resultsOf(line(content)).results).toEqual([]);
});
