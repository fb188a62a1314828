import { expect, test } from "bun:test";
import { makeHistory, printHistory, type Step, shrink } from "./history.ts";
import { play } from "./player.ts";

// The full run: HISTORIES=10000. A history that failed: HISTORIES=1 HISTORIES_SEED=<its seed>.
const count = Number(process.env.HISTORIES ?? 300);
const seed = Number(process.env.HISTORIES_SEED ?? 1);
/** One is enough as a rule; shrinking takes its time. */
const mostFailures = Number(process.env.HISTORIES_FAILURES ?? 1);

test(`histories ${seed} to ${seed + count - 1}: nobody is told another one's past, no turn is lost, none is told twice`, async () => {
  const failures: string[] = [];
  for (let n = seed; n < seed + count && failures.length < mostFailures; n += 1) {
    const steps = makeHistory(n);
    if ((await failureOf(steps)) !== undefined) failures.push(await describeFailure(n, steps));
  }
  expect(failures.join("\n\n")).toBe("");
}, 3_600_000);

async function failureOf(steps: readonly Step[]): Promise<string | undefined> {
  try {
    await play(steps);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}

async function describeFailure(n: number, steps: readonly Step[]): Promise<string> {
  const least = await shrink(steps, async (fewer) => (await failureOf(fewer)) !== undefined);
  const seedOf = `HISTORIES=1 HISTORIES_SEED=${n}`;
  return `${seedOf}, of ${steps.length} steps these remain:\n${printHistory(least)}\n→ ${await failureOf(least)}`;
}
