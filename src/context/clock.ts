/** A moment with the zone it was stored in: UTC milliseconds and minutes east of UTC. */
export interface Moment {
  startedAt: number;
  zoneOffset: number;
}

/** The last time that is written with a year of four digits. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59);

// Whatever is stored, of a damaged clock or an earlier program, has a time that can be told.
const local = ({ startedAt, zoneOffset }: Moment): string =>
  new Date(Math.min(Math.max(startedAt + zoneOffset * 60_000, 0), lastTime)).toISOString();

/** `2026-11-30`, in the moment's own zone. */
export const dateOf = (moment: Moment): string => local(moment).slice(0, 10);

/** `14:23:05`, in the moment's own zone. */
export const timeOf = (moment: Moment): string => local(moment).slice(11, 19);

/**
 * The time each turn is called by, oldest first: `14:23:05`, and `14:23:05#2` for the second of one second. The same
 * turns get the same names in what Claude is told and in `detail`.
 */
export const labelTurns = (turns: readonly Moment[]): string[] => turns.map(turnLabeler());

/** The same for turns that come one by one. */
export function turnLabeler(): (turn: Moment) => string {
  const seen = new Map<string, number>();
  return (turn) => {
    const key = local(turn).slice(0, 19);
    const n = (seen.get(key) ?? 0) + 1;
    seen.set(key, n);
    return n === 1 ? timeOf(turn) : `${timeOf(turn)}#${n}`;
  };
}
