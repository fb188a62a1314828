import { appendFileSync } from "node:fs";
import type { Session, Turn } from "./model.ts";

let entries = 0;
let turns = 0;

/** Counts entries and turns from nothing again, so that a history says the same whenever it is played. */
export function startOver(): void {
  entries = 0;
  turns = 0;
}

const newId = (): string => `u${String(++entries).padStart(6, "0")}`;

function append(session: Session, at: number, type: string, hangsOn: string | null, fields: object): string {
  const uuid = newId();
  const timestamp = new Date(at).toISOString();
  write(session, { parentUuid: hangsOn, isSidechain: false, type, ...fields, uuid, timestamp, sessionId: session.id });
  return uuid;
}

function write(session: Session, entry: Record<string, unknown>): void {
  session.entries.push(entry);
  appendFileSync(session.file, `${JSON.stringify(entry)}\n`);
}

const tailOf = (session: Session): string => session.entries.at(-1)?.uuid as string;

/** Writes a prompt, hung on the newest entry or on what an earlier turn hangs on, which that one and all behind it then are left by. */
export function writePrompt(session: Session, at: number, backTo?: Turn): Turn {
  if (session.entries.length === 0) append(session, at, "attachment", null, { attachment: { type: "environment" } });
  const [hangsOn, from, by] = [backTo?.hangsOn ?? tailOf(session), session.entries.length, session.turns.length];
  const turn: Turn = { label: `t${++turns}`, at, hangsOn, from, left: null };
  append(session, at, "user", hangsOn, { message: { role: "user", content: `${turn.label}: and what now?` } });
  const first = backTo ? session.turns.indexOf(backTo) : by;
  for (const gone of session.turns.slice(first)) gone.left ??= { at, by };
  session.turns.push(turn);
  return turn;
}

/** Writes the answer to the newest prompt, or that the person interrupted it. */
export function writeAnswer(session: Session, at: number, { label }: Turn, interrupted: boolean): void {
  const content = [{ type: "text", text: interrupted ? `Well, ${label}` : `Answer to ${label}.` }];
  const message = { id: `m-${label}`, role: "assistant", model: "claude-opus-5-5", content };
  append(session, at, "assistant", tailOf(session), { message });
  if (!interrupted) return;
  const note = [{ type: "text", text: "[Request interrupted by user]" }];
  append(session, at, "user", tailOf(session), { message: { role: "user", content: note } });
}

/** Copies a session's first turns into another one's file, as a fork does: the same uuids, or new ones that name the old. */
export function copyTurns(from: Session, to: Session, count: number, newIds: boolean): void {
  const ids = new Map<unknown, string | null>([[null, null]]);
  for (const entry of from.entries.slice(0, from.turns[count]?.from)) {
    const { uuid, parentUuid } = entry as { uuid: string; parentUuid: string | null };
    if (!newIds) write(to, { ...entry, sessionId: to.id });
    else {
      ids.set(uuid, newId());
      const forkedFrom = { sessionId: from.id, messageUuid: uuid };
      write(to, { ...entry, sessionId: to.id, uuid: ids.get(uuid), parentUuid: ids.get(parentUuid), forkedFrom });
    }
  }
  const id = (uuid: string) => (newIds ? (ids.get(uuid) as string) : uuid);
  to.turns = from.turns.slice(0, count).map((turn) => ({
    ...turn,
    hangsOn: id(turn.hangsOn),
    left: turn.left && turn.left.by < count ? { ...turn.left } : null,
  }));
}
