// Measures the hooks of dist/throughline: `bun run bench [--runs N] [--only TEXT] [--json]`.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "../scripts/build.ts";
import { compare, run } from "./measure.ts";
import { measurePeak } from "./peak.ts";
import { describeMachine, type Figure, renderReport } from "./report.ts";
import { runOnce, type Scenario, scenarios } from "./scenarios.ts";
import { countSyscalls } from "./syscalls.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    binary: { type: "string", default: join(import.meta.dir, "../dist/throughline") },
    json: { type: "boolean", default: false },
  },
});

/** The same compilation as the released program's, with nothing in it: what starting a program costs at the least. */
async function compileEmpty(folder: string): Promise<string> {
  const [entry, binary] = [join(folder, "empty.ts"), join(folder, "empty")];
  writeFileSync(entry, "");
  await compile(entry, binary);
  return binary;
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
    runs,
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
  const figures: Figure[] = [];
  for (const scenario of scenarios.filter(({ name }) => name.includes(values.only))) {
    figures.push(await measure(scenario, empty, runs));
  }
  const machine = describeMachine();
  const output = values.json
    ? `${JSON.stringify({ machine, runs, figures }, null, 2)}\n`
    : renderReport(machine, runs, figures);
  await Bun.write(Bun.stdout, output);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
