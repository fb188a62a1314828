import { describe, expect, test } from "bun:test";
import { removeNoise } from "../../src/transcript/noise.ts";
import { growth, mostGrowth } from "../fixtures/growth.ts";
import { type Random, seeded, seeds } from "../fixtures/random.ts";

describe("goes", () => {
  test.each([
    ["colours", "\u001b[31mred\u001b[0m and \u001b[1;32mgreen\u001b[m", "red and green"],
    ["8-bit escapes", "\u009b31mred\u009b0m", "red"],
    ["a window title", "\u001b]0;vim\u0007text", "text"],
    ["a link's target, not its text", "\u001b]8;;https://example.com\u001b\\here\u001b]8;;\u001b\\", "here"],
    ["an escape within an escape", "a\u001b\u001b[0m[31mb", "a[31mb"],
    ["a box", "┌────────┐\n│ table  │\n└────────┘", "│ table  │"],
    ["a rule of eight signs", "title\n========\ntext\n--------", "title\ntext"],
    ["a tree's connectors alone", "a\n│\n├── b", "a\n├── b"],
    ["a bar of blocks", "Downloading ████████░░░░ 66%\nend", "end"],
    ["an ASCII bar", "file.tar [=====>     ]  45% 3 MB/s\nend", "end"],
    ["a bar behind its percentage", " 45%[=====>     ] 3.1M  1.2MB/s\nend", "end"],
    ["apt's bar", "Progress: [ 50%] [#####.....]\nend", "end"],
    ["tqdm's bar", " 50%|#####     | 5/10 [00:01<00:01]\nend", "end"],
    ["curl's bar", "######################## 100.0%\nend", "end"],
    ["percentages that grow line by line", "start\n10%\n55.5%\n100%\nend", "start\nend"],
    ["a bar that turns line by line", "start\n|\n/\n-\n\\\n|\nend", "start\nend"],
    ["a spinner's frames", "⠋ Installing\n⠙ Installing\n✔ Installed", "✔ Installed"],
    ["blank lines at both ends", "\n\n  \ntext\n\n", "text"],
    ["runs of blank lines", "a\n\n\n\nb\n  \n\t\nc", "a\n\nb\n\nc"],
    ["blank lines around what goes", "a\n\n────────\n\nb", "a\n\nb"],
  ])("%s", (_, noisy, clean) => {
    expect(removeNoise(noisy)).toBe(clean);
  });
});

describe("a redrawn line keeps its last state", () => {
  test.each([
    ["carriage returns", "10%\r50%\rdone: 3 files", "done: 3 files"],
    ["a return at the end", "working\rready\r", "ready"],
    ["blanks that wipe the line", "working\rready\r       ", "ready"],
    ["nothing but percentages", "10%\r50%\r100%\nnext", "next"],
    ["nothing but a turning bar", "|\r/\r-\r\\\nnext", "next"],
    ["backspaces", "|\b/\b-\bok", "ok"],
    ["bold by overstriking", "N\bNA\bAM\bME\bE", "NAME"],
    [
      "back to the first column",
      "\u001b[2K\u001b[1G⠋ Install\u001b[2K\u001b[1G⠙ Install\u001b[2K\u001b[1G✔ Installed",
      "✔ Installed",
    ],
    ["Windows line ends", "one\r\ntwo\r\n\r\nthree\r\n", "one\ntwo\n\nthree"],
  ])("%s", (_, drawn, last) => {
    expect(removeNoise(drawn)).toBe(last);
  });
});

describe("stays", () => {
  test.each([
    ["a table", "| a | b |\n|---|---|\n| 1 | 2 |"],
    ["a table's row with a percentage and an empty cell", "| tests | 85% |            | x |"],
    ["a table's row with a bar", "| tests | ████████░░ | 80% |"],
    ["a list item with a bar", "- tests ████████░░ 80%\n1. docs ████░░░░░░ 40%"],
    ["a rule of Markdown", "above\n\n---\n\nbelow\n\n***"],
    ["an answer that is a percentage", "42%"],
    ["a column of percentages that do not grow", "85%\n12%\n97%"],
    ["two percentages", "10%\n20%"],
    ["a sign alone", "-"],
    ["a diff's deleted blank lines", " kept\n-\n-\n-gone\n+\n+new"],
    ["a graph of commits", "* one\n|\n| * two\n|/\n* three"],
    ["an ASCII diagram", "A\n|\n|\n|\nB"],
    ["a YAML item", "steps:\n  -\n    name: x"],
    ["a command as JSON", "{\"command\":\"echo '[=====>    ] 50%'; printf '████ 99%'\"}"],
    ["indentation", "if x:\n    y\n\tz\n        # deep"],
    ["indentation of the first line", "    four spaces\nnone"],
    ["trailing blanks on a line", "hard break  \nnext"],
    ["runs of blanks within a line", "a    b\tc"],
    ["a modulo", "x = 10 % 3; f(      ); y = [......]"],
    ["test results", "tests/test_a.py .......... [ 50%]"],
    ["a circle in a sentence", "◐ half of it is done"],
    ["a heading with a percentage", "## 100%"],
    ["Japanese", "認証の設定を直した。\n\n　　全角の字下げ"],
    ["a log", "2026-11-30T14:23:05Z INFO  [main] a.b.C - 100% of 3 done"],
    ["code within a line that begins with three backticks", "```code``` is inline\n\ntext"],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(removeNoise(text)).toBe(text);
  });

  test("half a surrogate pair becomes the replacement character", () => {
    expect(removeNoise("a\ud83d b")).toBe("a\ufffd b");
    expect(removeNoise("\u001b[31ma\udc00")).toBe("a\ufffd");
  });

  test("the lines behind an escape that is never ended", () => {
    expect(removeNoise("start\n\u001b]0;no end\nkept\n\u001bPalso none\nkept too")).toBe("start\n\nkept\n\nkept too");
  });
});

describe("inside a fence", () => {
  const inside = "\n\n\n████████ 50%\n────────\n⠋ frame\n50%\na\rb\n|\n  \n========\n";

  test.each([
    ["backticks", `\`\`\`txt${inside}\`\`\``],
    ["tildes", `~~~${inside}~~~`],
    ["eight tildes", `~~~~~~~~${inside}~~~~~~~~`],
    ["a fence that holds a fence", `\`\`\`\`md\n\`\`\`${inside}\`\`\`${inside}\`\`\`\``],
    ["tildes that hold backticks", `~~~md\n\`\`\`${inside}~~~`],
    ["an indented fence", `    \`\`\`${inside}    \`\`\``],
    ["a fence in a list", `- \`\`\`sh${inside}  \`\`\``],
    ["a fence in a quotation", `> \`\`\`${inside}> \`\`\``],
    ["a fence that is never closed", `\`\`\`${inside}`],
    ["a closing mark with words behind it", `\`\`\`\n\`\`\` no${inside}\`\`\``],
  ])("%s keeps everything", (_, text) => {
    expect(removeNoise(text)).toBe(text);
  });

  test("escapes and the line ends of Windows go", () => {
    expect(removeNoise("```\r\n\u001b[31mred\u001b[0m\r\n\r\n\r\n```\r\n\r\n\r\nafter")).toBe(
      "```\nred\n\n\n```\n\nafter",
    );
  });

  test("what stands behind the fence is cleaned again", () => {
    expect(removeNoise("```\n════════\n```\n════════\nend")).toBe("```\n════════\n```\nend");
    expect(removeNoise("1. ```sh\n   ls\n   ```\n════════\nend")).toBe("1. ```sh\n   ls\n   ```\nend");
  });
});

const pieces = [
  "\u001b[31m",
  "\u001b",
  "\u009b",
  "[0m",
  "\u001b[2K",
  "\u001b[1G",
  "\u001b]0;t",
  "\u0007",
  "\r",
  "\b",
  "\n",
  "\n",
  "\n\n",
  "   ",
  "\t",
  "```",
  "````",
  "~~~",
  "|",
  "/",
  "-",
  "\\",
  "- ",
  "> ",
  "10%",
  "20%",
  "99.5%",
  "████",
  "[=====>   ]",
  "────────",
  "========",
  "⠋ ",
  "◐",
  "word",
  "認証",
  "👍🏽",
  "\ud83d",
  "\u2028",
  "\u0090",
  "\u009c",
];
const lineOf = (random: Random): string =>
  " ".repeat(random.int(0, 8)) +
  random.pick([
    "const x = 1;",
    "return await f(a, b);",
    "- an item",
    "plain words of a sentence.",
    "認証の設定",
    "# Title",
  ]);

describe.each(seeds(40))("seed %i", (seed) => {
  test("twice is once, and the result is well-formed", () => {
    const random = seeded(seed);
    for (let n = 0; n < 100; n += 1) {
      const once = removeNoise(random.text(pieces, random.int(1, 40)));
      expect(removeNoise(once)).toBe(once);
      expect(once.isWellFormed()).toBe(true);
      expect(once).not.toMatch(/[\u001b\u009b]/);
    }
  });

  test("ordinary lines come through whole, in order and with their indentation, whatever stands between them", () => {
    const random = seeded(seed);
    const lines = Array.from({ length: 30 }, () => lineOf(random));
    const noise = ["", "  ", "────────", "⠋ busy", "[====>    ] 40%", "a\r", "########", "\u001b[0m"];
    const mixed = lines.flatMap((line) => [...(random.int(0, 1) ? [random.pick(noise)] : []), line]);
    const left = removeNoise(mixed.join("\n"))
      .split("\n")
      .filter((line) => line !== "" && line !== "a");
    expect(left).toEqual(lines);
  });
});

test.each([
  ["blanks before a word", (n: number) => `${" ".repeat(n)}x`],
  ["blanks and a box sign before a word", (n: number) => `──${" ".repeat(n)}x`],
  ["blanks between words", (n: number) => `x%${" ".repeat(n)}x`],
  ["newlines", (n: number) => "\n".repeat(n)],
  ["newlines and blanks", (n: number) => "\n   ".repeat(n / 4)],
  ["carriage returns", (n: number) => "ab\r".repeat(n / 3)],
  ["backspaces", (n: number) => "a\b".repeat(n / 2)],
  ["rules that end in a word", (n: number) => `${"=".repeat(n)}x%`],
  ["open brackets", (n: number) => `%${"[".repeat(n)}`],
  ["bars without an end", (n: number) => `%${"[======".repeat(n / 7)}`],
  ["percent signs", (n: number) => "1% ".repeat(n / 3)],
  ["digits", (n: number) => `${"1".repeat(n)}%`],
  ["digits and points", (n: number) => `${"1.".repeat(n / 2)}%`],
  ["backticks", (n: number) => `${"`".repeat(n)}x\``],
  ["escapes without an end", (n: number) => "\u001b]".repeat(n / 2)],
  ["escapes within escapes", (n: number) => "\u001b[".repeat(n / 2)],
  ["frames", (n: number) => "1%\n".repeat(n / 3)],
  ["quotation marks", (n: number) => `${"> ".repeat(n / 2)}%`],
  ["plain words", (n: number) => "lorem ipsum % ".repeat(n / 14)],
])("a long line of %s takes time in proportion", (_, textOf) => {
  expect(growth(removeNoise, textOf)).toBeLessThan(mostGrowth);
});
