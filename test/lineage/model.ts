/** A turn as the person remembers it. */
export interface Turn {
  label: string;
  /** UTC milliseconds. */
  at: number;
  /** The entry of the transcript that the prompt hangs on, and the number of entries before it. */
  hangsOn: string;
  from: number;
  /** When the person went back to before it, and with which turn of the session. */
  left: { at: number; by: number } | null;
}

/** A session as it truly is, whatever was reported of it. */
export interface Session {
  id: string;
  project: number;
  kind: Kind;
  file: string;
  entries: Record<string, unknown>[];
  turns: Turn[];
  /** The first and the last time that an event of it arrived. */
  startedAt: number | null;
  heardAt: number;
  /** What it continues, as that stood at a time. */
  link: { to: Session; until: number } | null;
}

/** What windows there are: today's terminal, one that does not name its process, an editor with a process for each session, a desktop app with one for all, and `claude -p`. */
export type Kind = "terminal" | "old" | "editor" | "desktop" | "program";

/** A session in a client process, from the moment that the process turned to it until it turned to another one. */
export interface Stay {
  session: Session;
  client: Client;
  /** What the process turned from. */
  before: Stay | undefined;
  ghost: boolean;
  heard: Set<"start" | "stop" | "end">;
  /** Numbers the events as they arrived; 0: none did. */
  lastHeard: number;
}

export interface Client {
  pid: number;
  name: string;
  kind: Kind;
  project: number;
  runs: boolean;
  stays: Stay[];
  stay: Stay | undefined;
}

/** Everything that is true of a history so far. */
export interface World {
  sessions: Session[];
  clients: Client[];
}

const lives = (turn: Turn, at: number): boolean => turn.at <= at && (turn.left === null || turn.left.at > at);

export const hasTurn = (session: Session): boolean => session.turns.some(({ left }) => left === null);

/** What a session remembers as of a time, oldest first: the labels of its turns. */
export function viewOf(session: Session, at = Number.MAX_SAFE_INTEGER): string[] {
  const own = session.turns.filter((turn) => lives(turn, at)).map(({ label }) => label);
  return session.link ? [...viewOf(session.link.to, Math.min(at, session.link.until)), ...own] : own;
}

/** What may rightly be continued: one of these, `null` for nothing; `anything` where no fact tells. */
export type Past = readonly (Session | null)[] | "anything";

/** What a session that starts may rightly continue. */
export const pastOf = (world: World, stay: Stay, source: string): Past =>
  exactPast(stay, source) ?? guessedPast(world, stay.session);

/** What the person was in before in the same client process; `undefined` where that was nothing. */
function exactPast(stay: Stay, source: string): Past | undefined {
  for (let at = stay.before; at; at = at.before) {
    if (hasTurn(at.session)) return isKnown(at, stay) ? [at.session] : "anything";
    // Cleared twice, if that was a `/clear`; what never ended and had no turn was never there.
    if (at.heard.has("end")) return source === "clear" ? [null] : [at.session];
  }
  return undefined;
}

/** Whether what arrived of a stay says that it was the newest: its end, or nothing else of the process came after it. */
function isKnown(stay: Stay, now: Stay): boolean {
  if (stay.heard.size === 0) return false;
  if (stay.heard.has("end")) return true;
  const others = stay.client.stays.filter(
    (other) => other !== stay && other !== now && (hasTurn(other.session) || other.heard.has("end")),
  );
  return others.every(({ lastHeard }) => lastHeard < stay.lastHeard);
}

/** Of the project's sessions that a person attended, that have a turn, that no other one with a turn continues and that are not alive, the latest. */
function guessedPast(world: World, self: Session): Past {
  const known = world.sessions.filter(
    (session) =>
      session !== self && session.project === self.project && session.kind !== "program" && session.startedAt !== null,
  );
  const free = known.filter((session) => hasTurn(session) && !known.some((next) => continues(next, session)));
  const may: (Session | null)[] = [];
  for (const session of free.toSorted((a, b) => b.heardAt - a.heardAt)) {
    const life = lifeOf(world, session);
    if (life !== "alive") may.push(session);
    if (life === "gone") return may;
  }
  return [...may, null];
}

const continues = (next: Session, session: Session): boolean => next.link?.to === session && next.turns.length > 0;

/** Alive: a terminal session in a process that runs and did not say that it ended. Where reports are missing it may be either. */
function lifeOf(world: World, session: Session): "alive" | "gone" | "either" {
  if (session.kind !== "terminal" && session.kind !== "old") return "gone";
  const stays = world.clients.flatMap(({ stays }) => stays).filter((stay) => stay.session === session);
  const running = stays.filter(({ client, heard }) => client.runs && heard.size > 0);
  if (running.length === 0) return stays.some(({ client }) => client.runs) ? "either" : "gone";
  if (running.every(({ heard }) => heard.has("end"))) return "gone";
  const isServed = running.some((stay) => stay.client.stay === stay && !stay.heard.has("end"));
  return isServed && stays.every(({ heard }) => !heard.has("end")) ? "alive" : "either";
}
