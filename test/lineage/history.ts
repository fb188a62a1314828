import { type Random, seeded } from "../fixtures/random.ts";
import type { Kind } from "./model.ts";

/** What becomes of an event on its way: lost, twice, or behind so many of those that come later. */
export type Fate = "ok" | "lost" | "twice" | 1 | 2 | 3;

/**
 * One thing that happens. Windows, sessions and turns are numbers taken modulo how many there are, so that a history
 * without one of its steps is still one.
 */
export type Step =
  | { do: "open"; kind: Kind; project: number; start: Fate; ghost: Ghost }
  | { do: "prompt"; window: number; stop: Fate; interrupted: boolean; lags: boolean }
  | { do: "rewind"; window: number; turn: number; stop: Fate }
  | { do: "clear"; window: number; end: Fate; start: Fate; ghost: Ghost }
  | { do: "resume"; window: number; session: number; end: Fate; start: Fate }
  | { do: "reopen"; session: number; kind: Kind; start: Fate }
  | { do: "fork"; session: number; turns: number; newIds: boolean; as: "fork" | "startup"; stop: Fate }
  | { do: "program"; project: number }
  | { do: "exit"; window: number; end: Fate }
  | { do: "kill"; window: number }
  | { do: "wait"; minutes: number };

/** A SessionStart of which nothing ever comes, 300 ms before the real one or after it. */
export type Ghost = "none" | "before" | "after";

const kinds: readonly Kind[] = ["terminal", "terminal", "terminal", "old", "editor", "desktop"];
const faults: readonly Fate[] = ["lost", "lost", "twice", 1, 2, 3];

/** A history of its own for each seed; two in five without any fault on the events' way. */
export function makeHistory(seed: number): Step[] {
  const random = seeded(seed);
  const faulty = random.int(1, 5) > 2 ? random.int(3, 25) : 0;
  const fate = (): Fate => (random.int(1, 100) <= faulty ? random.pick(faults) : "ok");
  const projects = random.int(1, 3) === 1 ? 2 : 1;
  const windows = random.pick([0, 1, 2, 9]);
  const steps: Step[] = [];
  for (let n = random.int(3, 22); n > 0; n -= 1)
    steps.push(makeStep(random, { projects, windows }, fate, steps.length === 0));
  return steps;
}

function makeStep(
  random: Random,
  { projects, windows }: { projects: number; windows: number },
  fate: () => Fate,
  first: boolean,
): Step {
  const window = random.int(0, windows);
  const session = random.int(0, 9);
  const project = random.int(0, projects - 1);
  const kind = random.pick(kinds);
  const ghost = random.int(1, 6) === 1 ? random.pick(["before", "after"] as const) : "none";
  // The client waits for what it says of an end, for 1.5 s: that comes behind the next start at the latest.
  const endFate = (): Fate => {
    const drawn = fate();
    return typeof drawn === "number" ? 1 : drawn;
  };
  // And what it says of a start before anything is typed.
  const drawn = fate();
  const start = typeof drawn === "number" ? "ok" : drawn;
  if (first) return { do: "open", kind, project, start, ghost };
  const chance = random.int(1, 100);
  if (chance <= 38) {
    const interrupted = random.int(1, 8) === 1;
    return { do: "prompt", window, stop: fate(), interrupted, lags: random.int(1, 10) === 1 };
  }
  if (chance <= 60) return { do: "clear", window, end: endFate(), start, ghost };
  if (chance <= 68) return { do: "open", kind, project, start, ghost };
  if (chance <= 75) return { do: "resume", window, session, end: endFate(), start };
  if (chance <= 79) return { do: "reopen", session, kind: random.pick(["terminal", "old"]), start };
  if (chance <= 84) {
    const as = random.int(1, 4) === 1 ? "startup" : "fork";
    return { do: "fork", session, turns: random.int(0, 9), newIds: random.int(0, 1) === 1, as, stop: fate() };
  }
  if (chance <= 88) return { do: "rewind", window, turn: random.int(0, 5), stop: fate() };
  if (chance <= 91) return { do: "program", project };
  if (chance <= 94) return { do: "exit", window, end: endFate() };
  if (chance <= 97) return { do: "kill", window };
  return { do: "wait", minutes: random.pick([5, 20, 120, 1_600]) };
}

/** The same failure in as few and as plain steps as can be found: each is left out or made plain as long as it still fails. */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
): Promise<Step[]> {
  let least = [...steps];
  for (let changed = true; changed; ) {
    changed = false;
    for (let n = least.length - 1; n >= 0; n -= 1) {
      for (const smaller of smallerBy(least, n)) {
        if (!(await fails(smaller))) continue;
        least = smaller;
        changed = true;
        break;
      }
    }
  }
  return least;
}

function smallerBy(steps: readonly Step[], n: number): Step[][] {
  const step = steps[n] as Step;
  const replaced = (change: object) => steps.with(n, { ...step, ...change } as Step);
  const plainer = Object.entries(plain).filter(([key, value]) => key in step && step[key as keyof Step] !== value);
  return [steps.toSpliced(n, 1), ...plainer.map(([key, value]) => replaced({ [key]: value }))];
}

const plain = {
  stop: "ok",
  end: "ok",
  start: "ok",
  ghost: "none",
  interrupted: false,
  lags: false,
  newIds: false,
  project: 0,
  kind: "terminal",
};

/** A history to read, a step a line; what is plain is left out. */
export const printHistory = (steps: readonly Step[]): string =>
  steps
    .map(({ do: name, ...rest }) =>
      [
        name,
        ...Object.entries(rest)
          .filter(([key, value]) => plain[key as keyof typeof plain] !== value)
          .map(([key, value]) => `${key}=${value}`),
      ].join(" "),
    )
    .join("\n");
