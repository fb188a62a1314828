import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import { roomForLines } from "../context/parts.ts";
import { lineLength } from "../context/render.ts";
import { type ContextTurn, fullTurns, selectTurns } from "../context/select.ts";
import { contextTurns } from "../restore.ts";
import { readDue } from "../store/due.ts";
import { walkThread } from "../store/lineage.ts";
import { getSession, type Session } from "../store/sessions.ts";
import { readLineState, textOfTurn } from "../store/summaries.ts";
import { lineLimit, type Wanted } from "../summarize/queue.ts";

/**
 * The turns of a thread that its next restore would show as lines and that have none, newest first; not more than fit
 * should each line be as long as it may.
 */
export function missingLines(db: Database, session: Session, config: Config, now: number): Wanted[] {
  const room = roomForLines(config.restore_parts);
  const { lines } = selectTurns(contextTurns(db, walkThread(db, session)), lineLength, room);
  const wanted: Wanted[] = [];
  let used = 0;
  for (let n = lines.length - 1; n >= 0; n--) {
    const turn = lines[n] as ContextTurn;
    const missing = wantedOf(db, turn, now);
    used += missing ? lineLimit(missing.said) : lineLength(turn, lines[n + 1]);
    if (used > room && wanted.length > 0) break;
    if (missing) wanted.push(missing);
  }
  return wanted;
}

/** How many turns wait for the worker, over all threads that want lines. */
export const countWaiting = (db: Database, config: Config, now: number): number =>
  readDue(db).reduce((sum, due) => sum + missingLines(db, getSession(db, due.sessionId), config, now).length, 0);

/** All older turns of a thread that have no line, newest first, however many there are. */
export function* backlog(db: Database, session: Session, now: number): Generator<Wanted> {
  let n = 0;
  for (const turn of contextTurns(db, walkThread(db, session))) {
    const missing = ++n > fullTurns ? wantedOf(db, turn, now) : undefined;
    if (missing) yield missing;
  }
}

// A turn without a word has nothing to be told in a line.
function wantedOf(db: Database, turn: ContextTurn, now: number): Wanted | undefined {
  const { isMade, tries, reason, retryAt } = readLineState(db, turn.id);
  if (isMade || retryAt > now) return undefined;
  const text = turn.messages.map((message) => `${message.role === "user" ? "U" : "A"}: ${message.text}`).join("\n");
  const said = turn.messages.map((message) => message.text).join("\n\n");
  if (said.trim() === "") return undefined;
  return { id: turn.id, text, said, stored: textOfTurn(db, turn.id), tries, reason };
}
