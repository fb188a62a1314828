import { expect, test } from "bun:test";
import { makeHistory, printHistory, type Step, shrink } from "./history.ts";
import { play } from "./player.ts";

const count = Number(process.env.HISTORIES ?? 500);
const seed = Number(process.env.HISTORIES_SEED ?? 1);

test(`${count} histories of windows, from seed ${seed} on`, async () => {
  const failures: string[] = [];
  for (let n = seed; n < seed + count && failures.length < Number(process.env.HISTORIES_FAILURES ?? 1); n += 1) {
    const steps = makeHistory(n);
    const failure = await failureOf(steps);
    if (failure !== undefined) failures.push(await describeFailure(n, steps));
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
  return `HISTORIES_SEED=${n} HISTORIES=1, of ${steps.length} steps these remain:\n${printHistory(least)}\n→ ${await failureOf(least)}`;
}
