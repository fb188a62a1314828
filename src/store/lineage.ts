import type { Database } from "bun:sqlite";
import { type LinkReason, linkReasons, type StoredTurn } from "../types.ts";
import { getSession, type Session } from "./sessions.ts";

/** A link that was found, not yet made. */
export interface Predecessor {
  session: Session;
  reason: LinkReason;
}

/**
 * The session whose end this client process reported last, else the one it served last: what a `/clear` in a terminal
 * continues.
 */
export function findExactPredecessor(db: Database, client: string, self: number): Session | undefined {
  const row = db
    .query<{ id: number }, { client: string; self: number }>(
      `select session_id as id from clients where client = $client and session_id <> $self
       order by ended_at is null, ended_at desc, served_at desc limit 1`,
    )
    .get({ client, self });
  return row ? getSession(db, row.id) : undefined;
}

/**
 * Where no client process tells: of the project's attended sessions with a real turn that nobody with a turn continues
 * and that do not run in a terminal right now, the one with the latest activity.
 */
export function findHeuristicPredecessor(
  db: Database,
  projectId: number,
  self: number,
  runs: (client: string) => boolean,
): Session | undefined {
  const candidates = db
    .query<{ id: number }, { projectId: number; self: number }>(
      `select id from sessions candidate where project_id = $projectId and id <> $self and headless = 0
         and exists (select 1 from session_turns where session_id = candidate.id and left_at is null)
         and not exists (select 1 from sessions successor where successor.predecessor_id = candidate.id and successor.id <> $self
           and exists (select 1 from session_turns where session_id = successor.id))
       order by active_at desc, id desc limit 100`,
    )
    .all({ projectId, self });
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

/**
 * Links a session to the one it continues and notes what it has behind it. A weaker reason never replaces a stronger
 * one, and no cycle can be made. Belongs into an immediate transaction.
 */
export function linkSession(db: Database, session: Session, predecessor: Predecessor, at: number): void {
  const rank = (reason: LinkReason | null) => (reason ? linkReasons.indexOf(reason) : -1);
  if (rank(session.linkReason) > rank(predecessor.reason) || wouldCycle(db, predecessor.session.id, session.id)) return;
  const behind = measureThread(db, predecessor.session, session.startedAt);
  db.query(
    `update sessions set predecessor_id = $predecessor, link_reason = $reason, linked_at = $at,
       inherited_turns = $turns, inherited_since = $since where id = $id`,
  ).run({
    id: session.id,
    predecessor: predecessor.session.id,
    reason: predecessor.reason,
    at,
    turns: behind.turns,
    since: behind.since,
  });
}

/** How many turns a session's thread has up to a time, and since when, without walking it. */
export function measureThread(db: Database, session: Session, until: number): { turns: number; since: number | null } {
  const own = db
    .query<{ turns: number; since: number | null }, { id: number; until: number }>(
      `select count(*) as turns, min(started_at) as since from session_turns join turns on turns.id = turn_id
       where session_id = $id and started_at <= $until and (left_at is null or left_at > $until)`,
    )
    .get({ id: session.id, until });
  return {
    turns: session.inheritedTurns + (own?.turns ?? 0),
    since: session.inheritedSince ?? own?.since ?? null,
  };
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
  for (let at: Session | undefined = session; at && !seen.has(at.id); ) {
    seen.add(at.id);
    yield* ownTurns(db, at.id, until);
    until = Math.min(until, at.startedAt);
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
