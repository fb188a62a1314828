// Measures the hooks of dist/throughline: `bun run bench [--runs N] [--only TEXT] [--large] [--json]`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "../scripts/build.ts";
import { type ImportFigure, imports, measureImport } from "./imports.ts";
import { compare, run } from "./measure.ts";
import { measurePeak } from "./peak.ts";
import { freeRoom, measureReading, type ReadingFigure, readings, roomFor } from "./readings.ts";
import { describeMachine, type Figure, renderFigures, renderImports, renderReadings, renderTitle } from "./report.ts";
import { runOnce, type Scenario, scenarios } from "./scenarios.ts";
import { countSyscalls } from "./syscalls.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    large: { type: "boolean", default: false },
    binary: { type: "string", default: join(import.meta.dir, "../dist/throughline") },
    json: { type: "boolean", default: false },
  },
});

/** The same compilation as the released program's, with nothing in it: what starting a program costs at the least. */
async function compileEmpty(folder: string): Promise<string> {
  const entry = join(folder, "empty.ts");
  writeFileSync(entry, "");
  return compileInto(folder, entry);
}

async function compileInto(folder: string, entry: string): Promise<string> {
  const binary = join(folder, basename(entry, ".ts"));
  await compile(entry, binary);
  return binary;
}

/** Those that are asked for and for whose files there is room; says which are left out for want of it. */
function wanted<T extends { name: string; size: number }>(all: readonly T[]): T[] {
  return all.filter(({ name, size }) => {
    if (!name.includes(values.only)) return false;
    const [room, free] = [roomFor(size), freeRoom()];
    if (free < room) console.error(`left out: ${name} takes ${room / 1e9} GB of disk and ${free / 1e9} GB are free`);
    return free >= room;
  });
}

async function measure(scenario: Scenario, empty: string, runs: number): Promise<Figure> {
  const prepared = await scenario.prepare(values.binary);
  using stage = prepared.stage;
  const [call] = prepared.calls;
  if (!call) throw new Error(`${scenario.name} has nothing to run`);
  const emptyCall = { ...stage.call([empty]), stdin: call.stdin };
  prepared.restore();
  prepared.verify(await runOnce(prepared));
  const comparison = await compare(
    Math.min(runs, scenario.runs),
    () => {
      prepared.restore();
      return run(emptyCall);
    },
    () => runOnce(prepared),
  );
  prepared.restore();
  const peak = await measurePeak(call);
  prepared.restore();
  const syscalls = await countSyscalls(call, stage.folder);
  const { base, own, leastBase, leastOwn } = comparison;
  return {
    name: scenario.name,
    target: scenario.target,
    ratio: own.wall / base.wall,
    leastRatio: leastOwn.wall / leastBase.wall,
    cpuRatio: own.cpu / base.cpu,
    peak,
    ...(syscalls === undefined ? {} : { syscalls }),
    ...comparison,
  };
}

const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a whole number of 1 or more");
const folder = mkdtempSync(join(tmpdir(), "throughline-empty-"));
try {
  const empty = await compileEmpty(folder);
  const plain = await compileInto(folder, join(import.meta.dir, "plain.ts"));
  const figures: Figure[] = [];
  for (const scenario of wanted(scenarios(values.large))) figures.push(await measure(scenario, empty, runs));
  const firsts: ReadingFigure[] = [];
  for (const reading of wanted(readings(values.large))) {
    firsts.push(await measureReading(reading, values.binary, plain, runs));
  }
  const wholes: ImportFigure[] = [];
  for (const one of wanted(imports(values.large))) wholes.push(await measureImport(one, values.binary, runs));
  const machine = describeMachine();
  const output = values.json
    ? `${JSON.stringify({ machine, runs, figures, readings: firsts, imports: wholes }, null, 2)}\n`
    : [
        renderTitle(machine, runs),
        ...(figures.length > 0 ? [renderFigures(figures)] : []),
        ...(firsts.length > 0 ? [renderReadings(firsts)] : []),
        ...(wholes.length > 0 ? [renderImports(wholes)] : []),
      ].join("\n");
  await Bun.write(Bun.stdout, output);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
