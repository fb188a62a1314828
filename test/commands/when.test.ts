import { describe, expect, test } from "bun:test";
import { parseWhen } from "../../src/commands/when.ts";
import { seeded, seeds } from "../fixtures/random.ts";

const at = (hours: number, minutes: number, seconds = 0): number => hours * 3_600 + minutes * 60 + seconds;
const day = 86_400;
const date = "2026-11-29";

describe("one time", () => {
  test.each([
    ["14:23:05", { from: at(14, 23, 5), to: at(14, 23, 5) }],
    ["14:23", { from: at(14, 23), to: at(14, 23, 59) }],
    ["9:05", { from: at(9, 5), to: at(9, 5, 59) }],
    ["00:00", { from: 0, to: 59 }],
    ["23:59:59", { from: day - 1, to: day - 1 }],
    ["14:23:05#2", { from: at(14, 23, 5), to: at(14, 23, 5), nth: 2 }],
    ["14:23:05 #12", { from: at(14, 23, 5), to: at(14, 23, 5), nth: 12 }],
    ["2026-11-29 13:02", { date, from: at(13, 2), to: at(13, 2, 59) }],
    ["2026-11-29 13:02:07", { date, from: at(13, 2, 7), to: at(13, 2, 7) }],
    ["2026-11-29T13:02:07", { date, from: at(13, 2, 7), to: at(13, 2, 7) }],
    ["2026-11-29 13:02:07#3", { date, from: at(13, 2, 7), to: at(13, 2, 7), nth: 3 }],
    ["  2026-11-29   13:02\n", { date, from: at(13, 2), to: at(13, 2, 59) }],
    ["2026-11-29", { date, from: 0, to: day - 1 }],
    ["2024-02-29", { date: "2024-02-29", from: 0, to: day - 1 }],
  ])("%p", (text, when) => {
    expect(parseWhen(text)).toEqual({ ...when, single: true });
  });
});

describe("a range", () => {
  test.each([
    ["14:23-14:30", { from: at(14, 23), to: at(14, 30, 59) }],
    ["14:23 - 14:30", { from: at(14, 23), to: at(14, 30, 59) }],
    ["14:23:05-14:23:40", { from: at(14, 23, 5), to: at(14, 23, 40) }],
    ["14:23:05-14:30", { from: at(14, 23, 5), to: at(14, 30, 59) }],
    ["14:23:30-14:23", { from: at(14, 23, 30), to: at(14, 23, 59) }],
    ["14:23-14:23", { from: at(14, 23), to: at(14, 23, 59) }],
    ["23:50-00:10", { from: at(23, 50), to: day + at(0, 10, 59) }],
    ["14:30-14:23", { from: at(14, 30), to: day + at(14, 23, 59) }],
    ["2026-11-29 13:02-13:10", { date, from: at(13, 2), to: at(13, 10, 59) }],
    ["2026-11-29 23:50-00:10", { date, from: at(23, 50), to: day + at(0, 10, 59) }],
    ["2026-11-29 23:50-2026-11-30 00:10", { date, from: at(23, 50), to: day + at(0, 10, 59) }],
    ["2026-11-29 23:50 - 2026-12-02 00:10:05", { date, from: at(23, 50), to: 3 * day + at(0, 10, 5) }],
    ["2026-11-29 13:02-2026-11-29 13:10", { date, from: at(13, 2), to: at(13, 10, 59) }],
    ["2026-11-29-2026-11-30", { date, from: 0, to: 2 * day - 1 }],
    ["2026-11-29 13:02-2026-11-30", { date, from: at(13, 2), to: 2 * day - 1 }],
    ["2026-11-29-14:00", { date, from: 0, to: at(14, 0, 59) }],
    ["2026-12-31 23:59-2027-01-01 00:00", { date: "2026-12-31", from: at(23, 59), to: day + 59 }],
    ["2026-11-29 14:23:05#2-2026-11-29 14:30:00#3", { date, from: at(14, 23, 5), to: at(14, 30) }],
  ])("%p", (text, when) => {
    expect(parseWhen(text)).toEqual({ ...when, single: false });
  });
});

test.each([
  "",
  " ",
  "now",
  "14",
  "14:2",
  "14:23:5",
  "14:234",
  "114:23",
  "24:00",
  "14:60",
  "14:23:60",
  "-1:00",
  "14.23",
  "14:23:05.5",
  "14:23 pm",
  "１４:２３",
  "#2",
  "14:23:05#",
  "14:23:05#0",
  "14:23:05#-1",
  "14:23:05#2#3",
  "2026-11-29 #2",
  "2026-11-29T",
  "2026-11-2913:02",
  "2026-11-29 T13:02",
  "2026-13-01",
  "2026-00-10",
  "2026-02-29",
  "2026-02-30 10:00",
  "2026-11-31",
  "26-11-29",
  "2026-1-2",
  "2026/11/29",
  "2026-11-29 24:00",
  "14:23-",
  "-14:23",
  "14:23-24:00",
  "14:23-14:30-14:40",
  "14:23--14:30",
  "14:23-2026-11-30 14:30",
  "2026-11-30 14:00-2026-11-29 15:00",
  "2026-11-30 14:00-2026-11-30 13:00",
  "2026-11-30-2026-11-29",
  "14:23 14:30",
])("%p is refused", (text) => {
  expect(parseWhen(text)).toBeUndefined();
});

test.each(seeds(50))("seed %i: what is written is what is read, and rubbish never throws", (seed) => {
  const random = seeded(seed);
  const two = (n: number): string => String(n).padStart(2, "0");
  const moment = new Date(
    Date.UTC(2000, 0, random.int(1, 20_000), random.int(0, 23), random.int(0, 59), random.int(0, 59)),
  );
  const later = new Date(moment.getTime() + random.int(0, 5 * day) * 1_000);
  const write = (when: Date): string =>
    when
      .toISOString()
      .slice(0, 19)
      .replace("T", random.pick([" ", "T"]));
  const from = at(moment.getUTCHours(), moment.getUTCMinutes(), moment.getUTCSeconds());
  expect(parseWhen(write(moment))).toEqual({ date: moment.toISOString().slice(0, 10), from, to: from, single: true });
  expect(parseWhen(`${write(moment)}-${write(later)}`)).toEqual({
    date: moment.toISOString().slice(0, 10),
    from,
    to: from + (later.getTime() - moment.getTime()) / 1_000,
    single: false,
  });
  for (let n = 0; n < 50; n += 1) {
    const text = random.text(["-", ":", " ", "#", "T", "2026-11-29", two(random.int(0, 99)), "1"], random.int(1, 12));
    const when = parseWhen(text);
    if (when) {
      expect(when.from).toBeGreaterThanOrEqual(0);
      expect(when.from).toBeLessThan(day);
      expect(when.to).toBeGreaterThanOrEqual(when.from);
    }
  }
});
