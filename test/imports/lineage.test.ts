import { expect, test } from "bun:test";
import { inferLinks, type Known } from "../../src/imports/lineage.ts";
import { seeded } from "../fixtures/random.ts";

/** Sessions by name: `name from-to`, then `clear`, `silent`, `watched`, `like:NAME` for a copied history, `after:NAME:reason`. */
function sessionsOf(...lines: string[]): Known[] {
  const names = lines.map((line) => line.split(" ")[0] as string);
  const idOf = (name: string) => names.indexOf(name) + 1;
  return lines.map((line, n) => {
    const [sessionId = "", span = "", ...marks] = line.split(" ");
    const [startedAt = 0, activeAt = 0] = span.split("-").map(Number);
    const like = marks.find((mark) => mark.startsWith("like:"))?.slice(5);
    const [, after, reason] = marks.find((mark) => mark.startsWith("after:"))?.split(":") ?? [];
    const spoke = !marks.includes("silent");
    return {
      id: n + 1,
      sessionId,
      startedAt,
      activeAt,
      spoke,
      cleared: marks.includes("clear"),
      firstTurn: spoke ? 100 + (like ? idOf(like) : n + 1) : null,
      predecessor: after === undefined ? null : idOf(after),
      reason: (reason ?? null) as Known["reason"],
      watched: marks.includes("watched"),
    };
  });
}

const told = (sessions: readonly Known[]): string[] => {
  const nameOf = (id: number) => sessions.find((session) => session.id === id)?.sessionId;
  return [...inferLinks(sessions)]
    .map(([id, { predecessor, reason }]) => `${nameOf(id)} ← ${nameOf(predecessor)} (${reason})`)
    .sort();
};

test.each([
  ["a chain of clears", ["a 1-5", "b 6-9 clear", "c 10-12 clear"], ["b ← a (inferred)", "c ← b (inferred)"]],
  ["a new start is no clear", ["a 1-5", "b 6-9"], []],
  ["what went on after it is not its past", ["a 1-8", "b 6-9 clear"], []],
  ["of two windows the one that was active last", ["a 1-5", "b 2-4", "c 6-9 clear"], ["c ← a (inferred)"]],
  ["nobody is continued twice", ["a 1-5", "b 6-9 clear", "c 7-8 clear"], ["b ← a (inferred)"]],
  [
    "one that is continued leaves the other window's",
    ["a 1-5", "b 2-4", "c 6-9 clear", "d 7-8 clear"],
    ["c ← a (inferred)", "d ← b (inferred)"],
  ],
  ["clear twice is a clean start", ["a 1-5", "g 6-6 clear silent", "b 7-9 clear"], []],
  ["a clear before is none between", ["g 0-0 clear silent", "a 1-5", "b 7-9 clear"], ["b ← a (inferred)"]],
  ["what hooks did not link is not linked", ["a 1-5", "b 6-9 clear watched"], []],
  ["a link that is known stays", ["a 1-5", "z 0-1", "b 6-9 clear after:z:heuristic"], []],
  ["what is known to be continued is taken", ["a 1-5", "x 6-7 after:a:exact", "b 6-9 clear"], []],
  [
    "a copy has its original's past",
    ["a 1-5", "b 6-9 clear", "c 6-12 clear like:b"],
    ["b ← a (inferred)", "c ← a (inferred)"],
  ],
  ["a copy of what is known by more", ["a 1-5", "b 6-9 after:a:exact watched", "c 6-12 like:b"], ["c ← a (uuids)"]],
  ["a copy does not continue its original", ["b 6-9 clear", "c 6-12 clear like:b"], []],
])("%s", (_, lines, expected) => {
  const sessions = sessionsOf(...lines);
  expect(told(sessions)).toEqual(expected);
  expect(told(sessions.toReversed())).toEqual(expected);
});

test("the order in which sessions are known does not count, nobody is continued twice, nothing goes in circles", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = seeded(seed);
    const lines = Array.from({ length: 12 }, (_, n) => {
      const from = random.int(0, 30);
      return `s${n} ${from}-${from + random.int(0, 8)} ${random.pick(["", "clear", "clear", "clear silent"])}`.trim();
    });
    const sessions = sessionsOf(...lines);
    const links = told(sessions);
    expect(told(sessions.toSorted(() => random.int(-1, 1)))).toEqual(links);
    const continued = [...inferLinks(sessions).values()].map(({ predecessor }) => predecessor);
    expect(new Set(continued).size).toBe(continued.length);
    for (const [id, { predecessor }] of inferLinks(sessions)) {
      const [after, before] = [sessions[id - 1] as Known, sessions[predecessor - 1] as Known];
      expect(before.activeAt).toBeLessThanOrEqual(after.startedAt);
    }
  }
});
