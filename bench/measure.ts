/** What one process took. */
export interface Cost {
  /** Milliseconds from the start until the process was gone. */
  wall: number;
  /** Milliseconds of processor time, the kernel's included. */
  cpu: number;
}

/** What one process took, and what it wrote to stdout. */
export interface Run extends Cost {
  stdout: string;
}

/** A process to start: the program, its arguments, where and in which environment, and what it reads. */
export interface Call {
  command: string[];
  cwd: string;
  env: Record<string, string>;
  stdin: string;
}

/**
 * Runs a process to its end with pipes, as the client does.
 * @throws when it fails or writes to stderr: a figure for a process that did not do its work is none
 */
export async function run(call: Call): Promise<Run> {
  const started = performance.now();
  const child = Bun.spawn(call.command, {
    cwd: call.cwd,
    env: call.env,
    stdin: new Blob([call.stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const outputs = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const wall = performance.now() - started;
  const [stdout, stderr] = await outputs;
  if (code !== 0 || stderr !== "") throw new Error(`${call.command.join(" ")} exited ${code}: ${stderr.trim()}`);
  return { wall, cpu: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000, stdout };
}

/** Runs processes side by side; the wall time is that until the last is gone, the processor time that of all. */
export async function runTogether(calls: readonly Call[]): Promise<Run> {
  const started = performance.now();
  const runs = await Promise.all(calls.map(run));
  const wall = performance.now() - started;
  return { wall, cpu: runs.reduce((sum, { cpu }) => sum + cpu, 0), stdout: runs.map(({ stdout }) => stdout).join("") };
}

/** Two things measured in turn: the medians of each, and the least of each, which other load on the machine spares. */
export interface Comparison {
  base: Cost;
  own: Cost;
  leastBase: Cost;
  leastOwn: Cost;
}

/** Measures two things in turn, A B A B …, so that whatever else the machine does falls on both. */
export async function compare(times: number, base: () => Promise<Cost>, own: () => Promise<Cost>): Promise<Comparison> {
  const bases: Cost[] = [];
  const owns: Cost[] = [];
  for (let n = 0; n < times; n++) {
    bases.push(await base());
    owns.push(await own());
  }
  return {
    base: summarize(bases, median),
    own: summarize(owns, median),
    leastBase: summarize(bases, least),
    leastOwn: summarize(owns, least),
  };
}

const summarize = (costs: readonly Cost[], by: (values: readonly number[]) => number): Cost => ({
  wall: by(costs.map(({ wall }) => wall)),
  cpu: by(costs.map(({ cpu }) => cpu)),
});

const least = (values: readonly number[]): number => Math.min(...values);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
