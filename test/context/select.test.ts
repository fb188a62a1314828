import { expect, test } from "bun:test";
import { type ContextTurn, fullTurns, selectTurns } from "../../src/context/select.ts";
import { turn } from "../fixtures/turns.ts";

const talk = (count: number): ContextTurn[] =>
  Array.from({ length: count }, (_, n) => turn(n + 1, "p", ["a"])).reverse();
const ids = (turns: readonly ContextTurn[]): number[] => turns.map(({ id }) => id);

test.each([
  ["nothing", 0, 100, [0, 0]],
  ["fewer than are told in full", 3, 100, [3, 0]],
  ["as many", 20, 100, [20, 0]],
  ["older ones as lines", 25, 100, [20, 5]],
  ["lines to the end of their room", 50, 100, [20, 10]],
  ["no room for lines", 25, 9, [20, 0]],
])("%s", (_, count, room, [full, lines]) => {
  const selected = selectTurns(talk(count), () => 10, room);
  const kept = Math.max(0, count - fullTurns);
  expect(ids(selected.full)).toEqual(Array.from({ length: full as number }, (_, n) => kept + n + 1));
  expect(ids(selected.lines)).toEqual(
    Array.from({ length: lines as number }, (_, n) => kept - (lines as number) + n + 1),
  );
});

test("the newest lines are kept, without a gap before one that is too long", () => {
  const { lines } = selectTurns(talk(25), (one) => (one.id === 3 ? 100 : 10), 60);
  expect(ids(lines)).toEqual([4, 5]);
});

test("reads no further than needed", () => {
  let read = 0;
  function* walk(): Generator<ContextTurn> {
    for (const one of talk(1_000)) {
      read += 1;
      yield one;
    }
  }
  selectTurns(walk(), () => 10, 50);
  expect(read).toBe(fullTurns + 6);
});

test("a line's room is asked for with the newer line", () => {
  const pairs: [number, number | undefined][] = [];
  selectTurns(
    talk(23),
    (one, newer) => {
      pairs.push([one.id, newer?.id]);
      return 1;
    },
    100,
  );
  expect(pairs).toEqual([
    [3, undefined],
    [2, 3],
    [1, 2],
  ]);
});
