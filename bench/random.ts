/** The next number of a sequence, from 0 to below 1. */
export type Random = () => number;

/** A sequence that is the same in every run (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from 0 to below `limit`. */
export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** One of a list; with `skew` above 1 more often one of the first. */
export const pick = <T>(random: Random, list: readonly T[], skew = 1): T =>
  list[Math.floor(random() ** skew * list.length)] as T;

/** A random id in the shape of a UUID. */
export function uuid(random: Random): string {
  const hex = (digits: number) => Array.from({ length: digits }, () => below(random, 16).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}
