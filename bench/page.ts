// Makes docs/performance.md of the figures that `bench --json` printed:
//   bun run bench --large --json > figures.json && bun bench/page.ts figures.json > docs/performance.md
import type { ImportFigure } from "./imports.ts";
import type { ReadingFigure } from "./readings.ts";
import { type Figure, type Machine, renderFigures, renderImports, renderReadings, renderTitle } from "./report.ts";

interface Figures {
  machine: Machine;
  runs: number;
  figures: Figure[];
  readings: ReadingFigure[];
  imports: ImportFigure[];
}

/** A line of a plot: the names of its points' scenarios, by what stands on the axis. */
interface Line {
  title: string;
  name: (step: string) => string;
}

/** A plot as GitHub draws it from its text; steps that were not measured are left out. */
function plot(
  title: string,
  axis: string,
  steps: readonly string[],
  lines: readonly Line[],
  figures: readonly Figure[],
) {
  const ratioOf = (line: Line, step: string) => figures.find(({ name }) => name === line.name(step))?.ratio;
  const measured = steps.filter((step) => lines.every((line) => ratioOf(line, step) !== undefined));
  if (measured.length < 2) return [];
  const values = lines.map((line) => measured.map((step) => (ratioOf(line, step) as number).toFixed(2)));
  const most = Math.ceil(Math.max(...values.flat().map(Number)) + 1);
  return [
    "```mermaid",
    "xychart-beta",
    `  title "${title}"`,
    `  x-axis "${axis}" [${measured.map((step) => `"${step}"`).join(", ")}]`,
    `  y-axis "times the empty program" 0 --> ${most}`,
    ...values.map((row) => `  line [${row.join(", ")}]`),
    "```",
    "",
    `Lines, from above where they begin: ${lines
      .toSorted((a, b) => (ratioOf(b, measured[0] as string) ?? 0) - (ratioOf(a, measured[0] as string) ?? 0))
      .map((line) => line.title)
      .join("; ")}.`,
    "",
  ];
}

function page({ machine, runs, figures, readings, imports }: Figures): string {
  const turns = ["10,000", "100,000", "1,000,000"];
  const start = (part: string, chain: number) => (step: string) =>
    `session-start, ${part}, ${step} turns in a chain of ${chain}`;
  const code = (text: string) => ["```", text.trimEnd(), "```", ""];
  return [
    "# Performance",
    "",
    "Made by `bun run bench --large --json > figures.json && bun bench/page.ts figures.json`.",
    "",
    renderTitle(machine, runs),
    "## Hooks",
    "",
    ...code(renderFigures(figures)),
    ...plot(
      "Stop, by the size of the transcript",
      "transcript",
      ["10 MB", "100 MB", "1 GB", "2 GB"],
      ["240 KB", "5 KB"].map((size) => ({
        title: `a turn of ${size}`,
        name: (step) => `stop, turn of ${size}, transcript of ${step}`,
      })),
      figures,
    ),
    ...plot(
      "Stop and a start's first part, by the turns stored",
      "turns stored",
      turns,
      [
        { title: "part 1, a chain of 5,000 sessions", name: start("part 1", 5_000) },
        { title: "part 1, one session", name: start("part 1", 1) },
        { title: "Stop, a turn of 5 KB", name: (step) => `stop, turn of 5 KB, ${step} turns stored` },
      ],
      figures,
    ),
    ...plot(
      "All eight parts of a start, by the chain's length",
      "sessions in the chain",
      ["1", "5000"],
      turns.map((count) => ({
        title: `${count} turns`,
        name: (step) => `session-start, all eight, ${count} turns in a chain of ${step}`,
      })),
      figures,
    ),
    "## First reading",
    "",
    ...code(renderReadings(readings)),
    "## Import",
    "",
    ...code(renderImports(imports)),
    notes,
  ].join("\n");
}

const notes = `## What is over its budget, and where the time goes

The machine is a virtual one that others use as well: the same binary measured twice differs by a tenth, and a page fault costs
11 µs there. Instructions by callgrind are the same every time: the empty program 3.3 million, a Stop of 5 KB 19.7, the first part
of a start 31, a status line 18. Of a Stop's, 5.8 are what loading \`node:fs\`, \`bun:sqlite\` and our own code costs; of its
1,550 page faults the empty program has 690.

- **A Stop of 5 KB and a start's first part** are at their budget, and over it by up to a fifth in one measurement of two.
- **A session of 1,000,000 turns** is counted at a start: one index entry each.
- **A first reading** parses, as the bare parser does, and then looks for secrets, understands entries, compresses and stores.
- **One line of 100 MB** lies in memory as bytes, as a string, parsed, without noise, and packed, until it is collected: 600 MiB.

\`bun run bench:search\`, 100,000 turns with 260 MB of text: a search takes 0.19 s in the median (9.8 times the empty program) and
0.47 s in 95 of 100, 0.13 s when twenty turns are not in the index yet, 2.4 s without an index. The index has 0.072 bytes a byte of
text and is made in 22 s, by the worker. \`FIGURES=1 bun test ./test/e2e/view.test.ts\`, 100,000 turns: the viewer's first content
is painted after 0.13 to 0.72 s, and scrolling through 10,000 turns takes 17 ms a frame.
`;

const file = process.argv[2];
if (file === undefined) throw new Error("the file of the figures is missing: bun bench/page.ts figures.json");
await Bun.write(Bun.stdout, page(await Bun.file(file).json()));
