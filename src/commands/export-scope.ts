import type { Database } from "bun:sqlite";
import {
  type ExportedSession,
  type ExportScope,
  exportSessions,
  type ListedTurn,
  listedTurns,
} from "../store/export.ts";
import { walkThread } from "../store/lineage.ts";
import { getSession, type Session } from "../store/sessions.ts";

/** A session and those of its turns that a page shows, oldest first. */
export interface Stretch {
  session: ExportedSession;
  turns: ListedTurn[];
}

/** The sessions of a scope with all that they list; a turn that a fork copied stands where it was said first. */
export function stretchesOf(db: Database, scope: ExportScope): Stretch[] {
  const seen = new Set<number>();
  const stretches = exportSessions(db, scope).map(({ row, ...session }) => {
    const turns = listedTurns(db, row).filter(({ id }) => !seen.has(id));
    for (const { id } of turns) seen.add(id);
    return { session, turns };
  });
  return stretches.filter(({ turns }) => turns.length > 0);
}

/** What a session remembers: its own turns and those that it continues, oldest first, without what was left. */
export function stretchesOfThread(db: Database, session: Session): Stretch[] {
  const stretches: (Stretch & { row: number })[] = [];
  for (const turn of [...walkThread(db, session)].reverse()) {
    const open = stretches.at(-1);
    if (open?.row === turn.sessionId) open.turns.push(turn);
    else stretches.push({ row: turn.sessionId, session: readSession(db, turn.sessionId), turns: [turn] });
  }
  return stretches;
}

function readSession(db: Database, row: number): ExportedSession {
  const [found] = exportSessions(db, { session: getSession(db, row).sessionId });
  if (!found) throw new Error(`session ${row} is listed and not there`);
  return found;
}
