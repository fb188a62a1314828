import { expect, test } from "bun:test";
import { dateOf, labelTurns, timeOf } from "../../src/context/clock.ts";

const at = (iso: string, zoneOffset = 0) => ({ startedAt: Date.parse(iso), zoneOffset });

test.each([
  ["in UTC", at("2026-11-30T14:23:05.999Z"), "2026-11-30", "14:23:05"],
  ["east, on the next day", at("2026-11-30T15:00:00Z", 540), "2026-12-01", "00:00:00"],
  ["west, on the day before", at("2026-12-01T04:59:59Z", -300), "2026-11-30", "23:59:59"],
  ["half an hour off", at("2026-11-30T18:29:00Z", 330), "2026-11-30", "23:59:00"],
  ["without a time", at("1970-01-01T00:00:00Z"), "1970-01-01", "00:00:00"],
])("%s", (_, moment, date, time) => {
  expect([dateOf(moment), timeOf(moment)]).toEqual([date, time]);
});

test("equal seconds are numbered, on each day for itself and in local time", () => {
  const turns = [
    at("2026-11-29T14:23:05Z"),
    at("2026-11-30T14:23:05.000Z"),
    at("2026-11-30T14:23:05.400Z"),
    at("2026-11-30T05:23:05.800Z", 540),
    at("2026-11-30T14:23:06Z"),
    at("2026-11-30T14:23:05.900Z"),
  ];
  expect(labelTurns(turns)).toEqual(["14:23:05", "14:23:05", "14:23:05#2", "14:23:05#3", "14:23:06", "14:23:05#4"]);
  expect(labelTurns([])).toEqual([]);
});

test.each([8.64e15, -8.64e15, Number.MAX_SAFE_INTEGER, -1, 253_402_300_800_000])(
  "a time of %p can be told",
  (startedAt) => {
    for (const zoneOffset of [0, 840, -840, 1e9]) {
      expect(dateOf({ startedAt, zoneOffset })).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(timeOf({ startedAt, zoneOffset })).toMatch(/^\d\d:\d\d:\d\d$/);
    }
  },
);
