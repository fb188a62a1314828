import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { findExactPredecessor, findHeuristicPredecessor, linkSession, walkThread } from "../../src/store/lineage.ts";
import type { Session } from "../../src/store/sessions.ts";
import { endService, endSession, getSession, serveSession } from "../../src/store/sessions.ts";
import { saveChanges } from "../../src/store/turns.ts";
import { makeSession, memoryStore, noon } from "../support/store.ts";

const minute = 60_000;
const options = { now: noon, zoneOffset: 0 };

function turn(db: Database, session: Session, uuid: string, at: number, parentUuid: string | null = null): void {
  saveChanges(
    db,
    session.id,
    [
      {
        type: "turn",
        turn: {
          head: { uuid, parentUuid, startedAt: at },
          uuid,
          messages: [{ sourceId: uuid, role: "user", at, text: uuid }],
          withdrawn: [],
          details: [],
        },
      },
    ],
    options,
  );
}

const remembered = (db: Database, session: Session): string[] =>
  [...walkThread(db, getSession(db, session.id))].map((t) => t.uuid);

test("a client's predecessor is what it ended last, or, with a turn, served last", () => {
  using db = memoryStore();
  const [a, b, c, other] = ["a", "b", "c", "other"].map((id) => makeSession(db, id)) as [
    Session,
    Session,
    Session,
    Session,
  ];
  serveSession(db, "1:boot:1", a.id, noon);
  serveSession(db, "2:boot:1", other.id, noon + minute);
  expect(findExactPredecessor(db, "1:boot:1", [c.projectId], c.id)).toBeUndefined();
  for (const session of [a, b, other]) turn(db, session, `${session.sessionId}-1`, noon);
  expect(findExactPredecessor(db, "1:boot:1", [c.projectId], c.id)?.sessionId).toBe("a");
  serveSession(db, "1:boot:1", b.id, noon + 2 * minute);
  expect(findExactPredecessor(db, "1:boot:1", [c.projectId], c.id)?.sessionId).toBe("b");
  // A, /clear → B, /resume A, /clear → C continues A.
  endService(db, "1:boot:1", b.id, noon + 3 * minute);
  serveSession(db, "1:boot:1", a.id, noon + 3 * minute);
  endService(db, "1:boot:1", a.id, noon + 4 * minute);
  expect(findExactPredecessor(db, "1:boot:1", [c.projectId], c.id)?.sessionId).toBe("a");
  // An end that is reported once more while the next session is served is the first one still.
  serveSession(db, "1:boot:1", c.id, noon + 4 * minute + 1);
  endService(db, "1:boot:1", a.id, noon + 5 * minute);
  endService(db, "1:boot:1", c.id, noon + 5 * minute);
  expect(findExactPredecessor(db, "1:boot:1", [c.projectId], 0)?.sessionId).toBe("c");
  // Of one that was talked in no end may be reported at all.
  serveSession(db, "1:boot:1", other.id, noon + 6 * minute);
  expect(findExactPredecessor(db, "1:boot:1", [c.projectId], c.id)?.sessionId).toBe("other");
  expect(findExactPredecessor(db, "1:boot:2", [c.projectId], c.id)).toBeUndefined();
});

test("the guess takes only attended sessions with a turn that nobody continues and nobody holds", () => {
  using db = memoryStore();
  const make = (id: string, at: number, change = {}) => makeSession(db, id, { at, ...change });
  const continued = make("continued", noon + 9 * minute);
  const successor = make("successor", noon);
  const headless = make("headless", noon + 8 * minute, { headless: true });
  make("ghost", noon + 7 * minute);
  const living = make("living", noon + 6 * minute, { entrypoint: "cli" });
  const elsewhere = make("elsewhere", noon + 6 * minute, { project: "/home/dev/other" });
  const free = make("free", noon + 5 * minute, { entrypoint: "cli" });
  for (const session of [continued, headless, living, elsewhere, free, successor])
    turn(db, session, `${session.sessionId}-1`, noon);
  linkSession(db, successor, { session: continued, reason: "exact" }, noon);
  serveSession(db, "1:boot:1", living.id, noon);
  serveSession(db, "2:boot:1", free.id, noon);
  const self = make("self", noon + 10 * minute);
  const runs = (client: string) => client === "1:boot:1";
  expect(findHeuristicPredecessor(db, [self.projectId], self.id, runs)?.sessionId).toBe("free");
  endSession(db, living.id, "other", noon);
  expect(findHeuristicPredecessor(db, [self.projectId], self.id, runs)?.sessionId).toBe("living");
});

test("a session remembers its own turns and its predecessor's as they stood when it started", () => {
  using db = memoryStore();
  const a = makeSession(db, "a", { at: noon });
  turn(db, a, "a1", noon + minute);
  turn(db, a, "a2", noon + 2 * minute);
  const b = makeSession(db, "b", { at: noon + 3 * minute });
  linkSession(db, b, { session: a, reason: "exact" }, noon);
  turn(db, b, "b1", noon + 4 * minute);
  turn(db, a, "a3 after a resume", noon + 5 * minute);
  expect(remembered(db, b)).toEqual(["b1", "a2", "a1"]);
  expect(remembered(db, a)).toEqual(["a3 after a resume", "a2", "a1"]);
  expect(getSession(db, b.id).inheritedTurns).toBe(2);
});

test("a late turn of the predecessor is filed where it belongs", () => {
  using db = memoryStore();
  const a = makeSession(db, "a", { at: noon });
  turn(db, a, "a1", noon + minute);
  const b = makeSession(db, "b", { at: noon + 3 * minute });
  linkSession(db, b, { session: a, reason: "exact" }, noon);
  turn(db, a, "a2, reported late", noon + 2 * minute);
  expect(remembered(db, b)).toEqual(["a2, reported late", "a1"]);
});

test("what was left before the successor started is not remembered, what was left after it is", () => {
  using db = memoryStore();
  const a = makeSession(db, "a", { at: noon });
  turn(db, a, "a1", noon + minute, "root");
  turn(db, a, "a2", noon + 2 * minute, "end-of-a1");
  const b = makeSession(db, "b", { at: noon + 3 * minute });
  linkSession(db, b, { session: a, reason: "exact" }, noon);
  turn(db, a, "a2 again", noon + 4 * minute, "end-of-a1");
  expect(remembered(db, a)).toEqual(["a2 again", "a1"]);
  expect(remembered(db, b)).toEqual(["a2", "a1"]);
});

test("no link makes a cycle, a weaker reason replaces no stronger one, a broken cycle is survived", () => {
  using db = memoryStore();
  const [a, b, c] = ["a", "b", "c"].map((id, n) => makeSession(db, id, { at: noon + n })) as [
    Session,
    Session,
    Session,
  ];
  turn(db, a, "a1", noon);
  linkSession(db, b, { session: a, reason: "exact" }, noon);
  linkSession(db, a, { session: b, reason: "hand" }, noon);
  linkSession(db, a, { session: a, reason: "hand" }, noon);
  expect(getSession(db, a.id).predecessorId).toBeNull();
  linkSession(db, getSession(db, b.id), { session: c, reason: "heuristic" }, noon);
  expect(getSession(db, b.id).predecessorId).toBe(a.id);
  linkSession(db, getSession(db, b.id), { session: c, reason: "hand" }, noon);
  expect(getSession(db, b.id).predecessorId).toBe(c.id);
  db.run("update sessions set predecessor_id = ? where id = ?", [a.id, a.id]);
  expect(remembered(db, a)).toEqual(["a1"]);
});

test("a long session is walked in pages and only as far as asked", () => {
  using db = memoryStore();
  const a = makeSession(db, "a", { at: noon });
  for (let n = 0; n < 100; n += 1) turn(db, a, `t${n}`, noon + n);
  expect(remembered(db, a)).toHaveLength(100);
  const walk = walkThread(db, getSession(db, a.id));
  expect([walk.next().value, walk.next().value].map((t) => (t as { uuid: string }).uuid)).toEqual(["t99", "t98"]);
});
