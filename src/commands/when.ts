/** A span of time as a person writes it: a date or none, and a first and last second of the day. */
export interface When {
  /** `2026-11-30`; absent: any day. */
  date?: string;
  /** Seconds of the day. */
  from: number;
  /** Seconds since the beginning of the first day; past 86,400 when the span ends on a later day. */
  to: number;
  /** The n-th of the turns of one second, from 1. */
  nth?: number;
  /** Whether one time was asked for, not a range. */
  single: boolean;
}

const moment = /^(?:(\d{4}-\d\d-\d\d)(?:[ T](?=\d)|$))?(?:(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?#([1-9]\d*))?)?$/;
const daySeconds = 86_400;

/** What `detail` takes; the sentence of every refusal. */
export const accepted =
  "a time (14:23:05 or 14:23), a range (14:23-14:30, over midnight too), either with a date before it (2026-11-29 13:02), a date alone, and #2 for the second turn of one second";

/**
 * Reads a time, a range or a date as `detail` takes them.
 * @returns `undefined` when it is none of them
 */
export function parseWhen(text: string): When | undefined {
  const compact = text.trim().replace(/\s+/g, " ");
  const single = parseMoment(compact);
  if (single) return { ...single, single: true };
  for (let at = compact.indexOf("-"); at !== -1; at = compact.indexOf("-", at + 1)) {
    const from = parseMoment(compact.slice(0, at).trim());
    const to = parseMoment(compact.slice(at + 1).trim());
    if (from && to) return span(from, to);
  }
  return undefined;
}

type Moment = Omit<When, "single">;

function parseMoment(text: string): Moment | undefined {
  const match = moment.exec(text);
  if (!match || text === "") return undefined;
  const [, date, hours, minutes, seconds, nth] = match;
  if (date !== undefined && !isDate(date)) return undefined;
  if (hours === undefined) return date === undefined ? undefined : { date, from: 0, to: daySeconds - 1 };
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds ?? 0)];
  if (h > 23 || m > 59 || s > 59) return undefined;
  const from = h * 3600 + m * 60 + s;
  return {
    ...(date === undefined ? {} : { date }),
    from,
    to: seconds === undefined ? from + 59 : from,
    ...(nth === undefined ? {} : { nth: Number(nth) }),
  };
}

const isDate = (date: string): boolean => new Date(`${date}T00:00:00Z`).toJSON()?.slice(0, 10) === date;

function span(from: Moment, to: Moment): When | undefined {
  if (to.date !== undefined && from.date === undefined) return undefined;
  const days =
    to.date === undefined || from.date === undefined
      ? 0
      : (Date.parse(to.date) - Date.parse(from.date)) / (daySeconds * 1000);
  const overMidnight = to.date === undefined && to.to < from.from ? 1 : 0;
  const end = to.to + (days + overMidnight) * daySeconds;
  if (end < from.from) return undefined;
  return { ...(from.date === undefined ? {} : { date: from.date }), from: from.from, to: end, single: false };
}
