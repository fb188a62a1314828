import type { Database } from "bun:sqlite";
import { walkThread } from "../../src/store/lineage.ts";
import { findSession, getSession } from "../../src/store/sessions.ts";
import { type Past, type Session, type Stay, viewOf, type World } from "./model.ts";

/**
 * Holds what a start linked and told against what it may rightly continue, and takes the link into the model.
 * @throws when the link is none of those, or when what was told is not what the session behind the link remembers
 */
export function expectTold(db: Database, world: World, stay: Stay, past: Past, text: string): void {
  const { session, client, ghost } = stay;
  const name = ghost ? `the ghost ${session.id}` : session.id;
  const told = toldIn(text);
  if (new Set(told).size !== told.length) fail(`what ${name} was told`, told, "no turn twice");
  if (client.kind === "program") return same(`what ${name}, a program's, was told`, told, []);
  if (session.turns.length > 0) return same(`what ${name}, which holds a conversation, was told`, told, []);
  if (past.length === 0) return same(`what ${name} was told once more`, told, []);
  const predecessor = predecessorOf(db, session);
  if (past !== "anything" && !past.some((one) => (one?.id ?? null) === predecessor)) {
    fail(`what ${name} continues`, predecessor, past.map((one) => one?.id ?? null).join(" or "));
  }
  const to = world.sessions.find(({ id }) => id === predecessor);
  session.link = to ? { to, until: session.startedAt as number } : null;
  same(
    `what ${name} was told, which continues ${predecessor}`,
    told,
    to ? viewOf(to, session.startedAt as number) : [],
  );
}

/** Holds everything that is stored against everything that was ever said, in sessions of which an event arrived. */
export function expectKept(db: Database, world: World): void {
  for (const session of world.sessions) {
    const row = findSession(db, session.id);
    if (session.startedAt === null || session.kind === "program") {
      same(`what is stored of ${session.id}`, row ? listedIn(db, row.id) : [], []);
      continue;
    }
    if (!row) return fail(`what is known of ${session.id}`, "nothing", "a session");
    // Of a window that was never heard of nobody knows what it added.
    if (world.clients.some(({ stays }) => stays.some((stay) => stay.session === session && stay.heard.size === 0)))
      continue;
    const turns = session.turns.map(({ label, left }) => (left ? `${label}, left` : label));
    same(`what ${session.id} lists`, listedIn(db, row.id), turns);
    same(`what ${session.id} continues`, predecessorOf(db, session), session.link?.to.id ?? null);
    const thread = [...walkThread(db, row)].map(({ id }) => labelOf(db, id));
    same(`what ${session.id} remembers`, thread.toReversed(), viewOf(session));
  }
}

function predecessorOf(db: Database, session: Session): string | null {
  const id = findSession(db, session.id)?.predecessorId ?? null;
  return id === null ? null : getSession(db, id).sessionId;
}

/** The turns of a session in their order, each with its answer. */
const listedIn = (db: Database, id: number): string[] =>
  db
    .query<{ turnId: number; left: number }, [number]>(
      "select turn_id as turnId, left_at is not null as left from session_turns where session_id = ? order by position",
    )
    .all(id)
    .map(({ turnId, left }) => labelOf(db, turnId) + (left ? ", left" : ""));

function labelOf(db: Database, turnId: number): string {
  const texts = db
    .query<{ text: string }, [number]>("select text from messages where turn_id = ? order by at, id")
    .all(turnId)
    .map(({ text }) => text);
  const label = /^t\d+/.exec(texts[0] ?? "")?.[0] ?? "no prompt";
  return texts.length === 2 && texts[1]?.includes(label) ? label : `${label} of ${texts.length} messages`;
}

/** The turns that were told, oldest first; the last exchange stands there once more under a heading of its own. */
const toldIn = (text: string): string[] =>
  [...(text.split("### Where things stand")[0] ?? "").matchAll(/^\[[\d:#]+\] (?:\[user\]: )?(t\d+):/gm)].map(
    (match) => match[1] as string,
  );

function same(what: string, found: unknown, right: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(right)) fail(what, found, right);
}

function fail(what: string, found: unknown, right: unknown): never {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  throw new Error(`${what}: ${text(found)}, and right is ${text(right)}`);
}
