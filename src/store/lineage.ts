import type { Database } from "bun:sqlite";
import { type LinkReason, linkReasons, type StoredTurn } from "../types.ts";
import { getSession, type Session } from "./sessions.ts";

/** A link that was found, not yet made. */
export interface Predecessor {
  session: Session;
  reason: LinkReason;
}

/**
 * Of the sessions that this client process ended, and those with a turn that it serves, the one that did so last: what a
 * `/clear` in a terminal continues. A session that was only ever started, and of which nothing came, is none;
 * nor is one of another project: one process of a desktop serves many.
 */
export function findExactPredecessor(
  db: Database,
  client: string,
  projectIds: readonly number[],
  self: number,
): Session | undefined {
  const row = db
    .query<{ id: number }, { client: string; projectIds: string; self: number }>(
      `select session_id as id from clients join sessions on sessions.id = session_id
       where client = $client and session_id <> $self and project_id in (select value from json_each($projectIds))
         and (clients.ended_at is not null or exists (select 1 from session_turns listed where listed.session_id = clients.session_id))
       order by coalesce(clients.ended_at, max(served_at, coalesce((
         select turns.started_at from session_turns last join turns on turns.id = last.turn_id
         where last.session_id = clients.session_id and turns.started_at < coalesce((
           select min(other.served_at) from clients other where other.session_id = clients.session_id
             and other.client <> clients.client and other.served_at > clients.served_at), 9e18)
         order by last.position desc limit 1), 0))) desc, session_id desc limit 1`,
    )
    .get({ client, projectIds: JSON.stringify(projectIds), self });
  return row ? getSession(db, row.id) : undefined;
}

/**
 * Where no client process tells: of the project's attended sessions with a real turn that nobody with a turn continues
 * and that do not run in a terminal right now, the one with the latest activity.
 */
export function findHeuristicPredecessor(
  db: Database,
  projectIds: readonly number[],
  self: number,
  runs: (client: string) => boolean,
): Session | undefined {
  const candidates = db
    .query<{ id: number }, { projectIds: string; self: number }>(
      `select id from sessions candidate where project_id in (select value from json_each($projectIds)) and id <> $self and headless = 0
         and exists (select 1 from session_turns where session_id = candidate.id and left_at is null)
         and not exists (select 1 from sessions successor where successor.predecessor_id = candidate.id and successor.id <> $self
           and exists (select 1 from session_turns where session_id = successor.id))
       order by active_at desc, id desc limit 100`,
    )
    .all({ projectIds: JSON.stringify(projectIds), self });
  const free = candidates.find(({ id }) => !isAlive(db, id, runs));
  return free && getSession(db, free.id);
}

// Alive: a terminal session that did not report its end and whose client process still runs.
function isAlive(db: Database, id: number, runs: (client: string) => boolean): boolean {
  const session = getSession(db, id);
  if (session.endedAt !== null || session.entrypoint !== "cli") return false;
  return db
    .query<{ client: string }, [number]>("select client from clients where session_id = ? and ended_at is null")
    .all(id)
    .some(({ client }) => runs(client));
}

/** The project's newest session with a turn but this one and what follows it. */
export function findNewestOther(db: Database, session: Session): Session | undefined {
  const row = db
    .query<{ id: number }, { id: number; projectId: number }>(
      `with recursive after (id) as (
         values ($id) union select sessions.id from sessions join after on sessions.predecessor_id = after.id)
       select id from sessions where project_id = $projectId and headless = 0 and id not in after
         and exists (select 1 from session_turns where session_id = sessions.id and left_at is null)
       order by active_at desc limit 1`,
    )
    .get({ id: session.id, projectId: session.projectId });
  return row ? getSession(db, row.id) : undefined;
}

/**
 * The session that a copied history takes its predecessor from: the first one that lists this session's first turn.
 */
export function findForkParent(db: Database, session: Session): Session | undefined {
  const row = db
    .query<{ id: number }, { id: number }>(
      `select other.session_id as id from session_turns own join session_turns other using (turn_id)
       where own.session_id = $id and own.position = 1 and other.session_id < $id order by other.session_id limit 1`,
    )
    .get({ id: session.id });
  return row ? getSession(db, row.id) : undefined;
}

/**
 * Links a session to the one it continues and notes what it has behind it. A weaker reason never replaces a stronger
 * one, and no cycle can be made. Belongs into an immediate transaction.
 * @param until as the predecessor's thread stood then, UTC milliseconds
 * @returns what the session has behind it now; `undefined` where the link was not made
 */
export function linkSession(
  db: Database,
  session: Session,
  predecessor: Predecessor,
  at: number,
  until = session.startedAt,
): Measure | undefined {
  const rank = (reason: LinkReason | null) => (reason ? linkReasons.indexOf(reason) : -1);
  if (rank(session.linkReason) > rank(predecessor.reason) || wouldCycle(db, predecessor.session.id, session.id))
    return undefined;
  const behind = measureThread(db, predecessor.session, until);
  db.query(
    `update sessions set predecessor_id = $predecessor, link_reason = $reason, linked_at = $at, inherited_until = $until,
       inherited_turns = $turns, inherited_since = $since where id = $id`,
  ).run({
    id: session.id,
    predecessor: predecessor.session.id,
    reason: predecessor.reason,
    at,
    until,
    turns: behind.turns,
    since: behind.since,
  });
  return behind;
}

/** Gives a copied history what its parent had before it, or nothing where that one had nothing. */
export function joinHistory(db: Database, session: Session, parent: Session, at: number): void {
  if (parent.predecessorId === null) return setUnlinked(db, session, "uuids", at);
  const before = { session: getSession(db, parent.predecessorId), reason: "uuids" as const };
  linkSession(db, session, before, at, parent.inheritedUntil);
}

/** Takes a session's link away, for good: only a person's hand brings one back. */
export const unlinkSession = (db: Database, session: Session, at: number): void => setUnlinked(db, session, "hand", at);

function setUnlinked(db: Database, { id }: Session, reason: LinkReason, at: number): void {
  db.query(
    `update sessions set predecessor_id = null, link_reason = $reason, linked_at = $at, inherited_until = null,
       inherited_turns = 0, inherited_since = null where id = $id`,
  ).run({ id, reason, at });
}

/** How many turns a thread has, and since when (UTC milliseconds). */
export interface Measure {
  turns: number;
  since: number | null;
}

/** Measures a session's thread up to a time, without walking it: 0.03 ms for each thousand turns of the session itself. */
export function measureThread(db: Database, session: Session, until: number): Measure {
  const own = db
    .query<{ live: number; leftLater: number; since: number | null }, { id: number; until: number }>(
      `select (select count(*) from session_turns where session_id = $id and left_at is null) as live,
         (select count(*) from session_turns where session_id = $id and left_at > $until) as leftLater,
         (select started_at from session_turns join turns on turns.id = turn_id
          where session_id = $id order by position limit 1) as since`,
    )
    .get({ id: session.id, until });
  const turns = (own?.live ?? 0) + (own?.leftLater ?? 0) - countNewer(db, session.id, until);
  return {
    turns: session.inheritedTurns + turns,
    since: session.inheritedSince ?? (turns > 0 ? (own?.since ?? null) : null),
  };
}

// From the newest back to the first that is not newer: as a rule none.
function countNewer(db: Database, sessionId: number, until: number): number {
  let newer = 0;
  const query = db.query<{ startedAt: number; counts: number }, { sessionId: number; until: number }>(
    `select started_at as startedAt, left_at is null or left_at > $until as counts
     from session_turns join turns on turns.id = turn_id where session_id = $sessionId order by position desc`,
  );
  for (const turn of query.iterate({ sessionId, until })) {
    if (turn.startedAt <= until) break;
    newer += turn.counts;
  }
  return newer;
}

// Only a session that somebody continues can be reached from its predecessor: a new one costs no walk.
function wouldCycle(db: Database, predecessor: number, session: number): boolean {
  if (predecessor === session) return true;
  if (!db.query("select 1 from sessions where predecessor_id = ? limit 1").get(session)) return false;
  const seen = new Set<number>();
  for (let at: number | null = predecessor; at !== null && !seen.has(at); at = getSession(db, at).predecessorId) {
    if (at === session) return true;
    seen.add(at);
  }
  return false;
}

/**
 * What a session remembers, newest first: its own turns that it did not leave, then those of its predecessor as they
 * stood when it started, and so on. Walked hop by hop as far as the caller asks.
 * @param until the thread as it stood at this time, UTC milliseconds
 */
export function* walkThread(db: Database, session: Session, until = Number.MAX_SAFE_INTEGER): Generator<StoredTurn> {
  const seen = new Set<number>();
  const told = new Set<number>();
  for (let at: Session | undefined = session; at && !seen.has(at.id); ) {
    seen.add(at.id);
    for (const turn of ownTurns(db, at.id, until)) {
      if (told.has(turn.id)) continue;
      told.add(turn.id);
      yield turn;
    }
    until = Math.min(until, at.inheritedUntil);
    at = at.predecessorId === null ? undefined : getSession(db, at.predecessorId);
  }
}

const page = 32;

function* ownTurns(db: Database, sessionId: number, until: number): Generator<StoredTurn> {
  const query = db.query<StoredTurn & { position: number }, { sessionId: number; until: number; before: number }>(
    `select turns.id, uuid, started_at as startedAt, zone_offset as zoneOffset, state, context_tokens as contextTokens,
       session_id as sessionId, position
     from session_turns join turns on turns.id = turn_id
     where session_id = $sessionId and position < $before and started_at <= $until
       and (left_at is null or left_at > $until)
     order by position desc limit ${page}`,
  );
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const turns = query.all({ sessionId, until, before });
    yield* turns;
    const last = turns.at(-1);
    if (!last || turns.length < page) return;
    before = last.position;
  }
}
