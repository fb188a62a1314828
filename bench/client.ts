// Measures in the real client how long `/clear` takes until the next prompt can be typed, with the plugin and without it:
// `bun run bench:client [--runs N] [--turns N] [--json]`.
import { parseArgs } from "node:util";
import { installClient, unsupported, versions } from "../test/e2e/support/client.ts";
import { setStage } from "../test/e2e/support/stage.ts";
import { turnOf } from "../test/e2e/support/talk.ts";
import type { Window } from "../test/e2e/support/window.ts";
import { describeMachine, renderTable } from "./report.ts";

/** Milliseconds that the plugin may add. */
const target = 300;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "12" },
    turns: { type: "string", default: "20" },
    json: { type: "boolean", default: false },
  },
});
const [runs, turns] = [Number(values.runs), Number(values.turns)];
if (!(Number.isInteger(runs) && runs >= 1 && Number.isInteger(turns) && turns >= 1))
  throw new Error("--runs and --turns take a whole number of 1 or more");
if (unsupported !== undefined) throw new Error(unsupported);

/** From Enter behind `/clear` until the client is idle in a new session whose transcript it began: every hook has returned. */
async function timeClear(window: Window): Promise<number> {
  const { sessionId: before } = await window.settle();
  window.type("/clear");
  await window.until("/clear in the input box", () => window.input() === "/clear");
  await window.rest();
  const started = performance.now();
  window.press("Enter");
  await window.until("new session", () => window.sessionId() !== before && window.transcript() !== "");
  await window.settle();
  return performance.now() - started;
}

await installClient(versions.current);
await using bare = await setStage(versions.current, null);
await using equipped = await setStage(versions.current);
const windows = { without: await bare.open(), with: await equipped.open() };
const times: Record<keyof typeof windows, number[]> = { without: [], with: [] };
for (let n = 1; n < turns; n++)
  for (const window of Object.values(windows)) await window.prompt(turnOf("red", n).prompt);
for (let n = 1; n <= runs; n++) {
  for (const name of ["without", "with"] as const) {
    await windows[name].prompt(turnOf("blue", n).prompt);
    times[name].push(await timeClear(windows[name]));
  }
}

const figures = { without: summarize(times.without), with: summarize(times.with) };
const added = figures.with.median - figures.without.median;
const machine = describeMachine();
const table = renderTable(
  ["/clear to ready, ms", "median", "least", "most"],
  Object.entries(figures).map(([name, { median, least, most }]) => [
    `${name} the plugin`,
    ...[median, least, most].map((time) => time.toFixed(0)),
  ]),
);
const verdict = `added ${added.toFixed(0)} ms, target ≤ ${target} ms: ${added <= target ? "ok" : "OVER"}`;
await Bun.write(
  Bun.stdout,
  values.json
    ? `${JSON.stringify({ machine, client: versions.current, runs, turns, figures, added, target }, null, 2)}\n`
    : `${machine.cpu}, ${machine.cores} cores, client ${versions.current}, ${runs} runs in turn behind ${turns} turns\n${table}${verdict}\n`,
);

function summarize(all: readonly number[]): { median: number; least: number; most: number } {
  const sorted = all.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}
