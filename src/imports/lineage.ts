import type { LinkReason } from "../types.ts";

/** A session as far as who continues whom can be told from it. Times are UTC milliseconds. */
export interface Known {
  id: number;
  /** Claude Code's id: what decides between equals, so that the order of the import does not. */
  sessionId: string;
  startedAt: number;
  activeAt: number;
  /** It has a turn that it did not leave. */
  spoke: boolean;
  /** It began with `/clear`. */
  cleared: boolean;
  /** Its first turn; sessions with the same one are copies of one history. */
  firstTurn: number | null;
  predecessor: number | null;
  reason: LinkReason | null;
  /** Hooks were there when it ran: what they did not link is not linked. */
  watched: boolean;
}

/** A link that the files show. */
export interface Inferred {
  predecessor: number;
  /** `uuids` for a copied history whose original is linked by more than a guess. */
  reason: "inferred" | "uuids";
}

/**
 * Who continues whom among one project's attended sessions, as far as their files alone show it. One that began with
 * `/clear` continues the one with the latest activity before, unless somebody continues that already, or a `/clear`
 * without a turn lies between the two: a clean start. A copied history has what its original had before it.
 */
export function inferLinks(sessions: readonly Known[]): Map<number, Inferred> {
  const byStart = sessions.toSorted((a, b) => a.startedAt - b.startedAt || compare(a.sessionId, b.sessionId));
  const byActivity = sessions
    .filter(({ spoke }) => spoke)
    .sort((a, b) => b.activeAt - a.activeAt || compare(a.sessionId, b.sessionId));
  const ghosts = sessions.filter(({ spoke, cleared }) => cleared && !spoke);
  const copies = Map.groupBy(byStart, ({ id, firstTurn }) => firstTurn ?? -id);
  const continued = new Set(sessions.filter((one) => one.spoke && isKnown(one)).map(({ predecessor }) => predecessor));
  const links = new Map<number, Inferred>();
  for (const session of byStart) {
    if (!session.spoke || session.watched || (session.reason !== null && session.reason !== "inferred")) continue;
    const family = copies.get(session.firstTurn ?? -session.id) ?? [session];
    const original = family.find(({ reason }) => reason !== null && reason !== "inferred") ?? family[0];
    if (original && original !== session) {
      const link = isKnown(original)
        ? { predecessor: original.predecessor as number, reason: "uuids" as const }
        : links.get(original.id);
      if (link && !family.some(({ id }) => id === link.predecessor)) links.set(session.id, link);
      continue;
    }
    if (!session.cleared) continue;
    const before = byActivity.find(
      (other) => other.activeAt <= session.startedAt && !continued.has(other.id) && !family.includes(other),
    );
    if (!before || ghosts.some((ghost) => isBetween(ghost.startedAt, before.activeAt, session.startedAt))) continue;
    links.set(session.id, { predecessor: before.id, reason: "inferred" });
    continued.add(before.id);
  }
  return links;
}

const isKnown = ({ predecessor, reason }: Known): boolean => predecessor !== null && reason !== "inferred";
const isBetween = (at: number, from: number, to: number): boolean => at >= from && at < to;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
