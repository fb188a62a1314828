import type { Comparable } from "../store/earlier-turns.ts";

/** Milliseconds by which the earlier program's time of a turn may lie outside of the turn. */
const slack = 60_000;

const bare = (text: string): string => text.replace(/\s+/g, " ").trim();

/**
 * Which turns of the earlier program a transcript of the same session has too: same prompt, and a time within that turn
 * (the earlier program wrote down when it stored it); or same prompt, said once on both sides; or, where only a line
 * about it is left, the time alone. Each turn of the transcript is one of the earlier ones at most.
 */
export function matchEarlier(earlier: readonly Comparable[], told: readonly Comparable[]): Map<Comparable, Comparable> {
  const free = new Set(told);
  const matches = new Map<Comparable, Comparable>();
  const take = (turn: Comparable, match: Comparable | undefined) => {
    if (!match) return;
    matches.set(turn, match);
    free.delete(match);
  };
  const within = (turn: Comparable, other: Comparable): boolean => {
    const next = told[told.indexOf(other) + 1]?.startedAt ?? Number.MAX_SAFE_INTEGER;
    return turn.startedAt >= other.startedAt - slack && turn.startedAt <= next + slack;
  };
  const nearest = (turn: Comparable, among: Comparable[]): Comparable | undefined =>
    among.sort((a, b) => Math.abs(a.startedAt - turn.startedAt) - Math.abs(b.startedAt - turn.startedAt))[0];
  const samePrompt = (turn: Comparable) => [...free].filter((other) => bare(other.prompt) === bare(turn.prompt));
  const spoken = earlier.filter(({ prompt }) => bare(prompt) !== "");
  for (const turn of spoken)
    take(
      turn,
      nearest(
        turn,
        samePrompt(turn).filter((other) => within(turn, other)),
      ),
    );
  for (const turn of spoken) {
    const alone = spoken.filter(({ prompt }) => bare(prompt) === bare(turn.prompt)).length === 1;
    const same = samePrompt(turn);
    if (!matches.has(turn) && alone && same.length === 1) take(turn, same[0]);
  }
  for (const turn of earlier.filter(({ prompt }) => bare(prompt) === "")) {
    take(turn, [...free].filter((other) => other.startedAt <= turn.startedAt + 1_000 && within(turn, other)).at(-1));
  }
  return matches;
}
