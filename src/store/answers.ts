import type { Database } from "bun:sqlite";
import type { Session } from "./sessions.ts";
import { type SaveOptions, saveChanges } from "./turns.ts";
import { markTextsChanged } from "./unindexed.ts";

const prefix = "stop:";
const withoutBlanks = (text: string): string => text.replace(/\s+/g, "");

/** Whether the session's newest turn holds an answer, in one message or in several. */
export function holdsAnswer(db: Database, session: Session, answer: string): boolean {
  const said = db
    .query<{ text: string }, [number]>(
      `select text from messages where role = 'assistant' and turn_id =
         (select turn_id from session_turns where session_id = ? order by position desc limit 1) order by id`,
    )
    .all(session.id);
  return withoutBlanks(said.map(({ text }) => text).join("")).includes(withoutBlanks(answer));
}

/**
 * Keeps an answer whose transcript is not to be found, as a turn without a prompt that is marked so.
 * @param key what the event names the turn by: the same answer is kept once
 */
export function saveAnswerOnly(
  db: Database,
  session: Session,
  answer: string,
  key: string | undefined,
  options: SaveOptions,
): void {
  const uuid = `${prefix}${session.sessionId}:${key ?? Bun.hash(answer).toString(16)}`;
  const turn = {
    uuid,
    head: { uuid, parentUuid: null, startedAt: options.now },
    state: "answer_only" as const,
    messages: [{ sourceId: uuid, role: "assistant" as const, at: options.now, text: answer }],
    withdrawn: [],
    details: [],
  };
  db.transaction(() => {
    saveChanges(db, session.id, [{ type: "turn", turn }], options);
    markTextsChanged(db, session.id);
  }).immediate();
}

/** Drops the session's answers of that kind which a transcript, found after all, says as well. */
export function dropAnswersOnly(db: Database, session: Session): void {
  const range = { from: `${prefix}${session.sessionId}:`, to: `${prefix}${session.sessionId};` };
  if (!db.query("select 1 from turns where uuid >= $from and uuid < $to limit 1").get(range)) return;
  db.query(
    `delete from turns where uuid >= $from and uuid < $to and exists (
       select 1 from messages alone join messages told on told.text = alone.text and told.turn_id <> alone.turn_id
       join session_turns listed on listed.turn_id = told.turn_id
       where alone.turn_id = turns.id and told.role = 'assistant' and listed.session_id = $id)`,
  ).run({ id: session.id, ...range });
}
