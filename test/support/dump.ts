import type { Database } from "bun:sqlite";
import { readDetails } from "../../src/store/details.ts";
import { readMessages } from "../../src/store/messages.ts";

/** Everything that a transcript can say, without row ids: two stores with the same dump hold the same. */
export function dumpStore(db: Database): unknown {
  const listed = db
    .query<{ session: string; uuid: string; left: number }, []>(
      `select session_uuid as session, uuid, left_at is not null as left from
         (select sessions.uuid as session_uuid, session_turns.position, turns.uuid, session_turns.left_at
          from session_turns join sessions on sessions.id = session_turns.session_id join turns on turns.id = turn_id)
       order by session, position`,
    )
    .all();
  const turns = db
    .query<{ id: number; uuid: string; started_at: number; state: string; model: string; context_tokens: number }, []>(
      "select id, uuid, started_at, state, model, context_tokens from turns order by uuid",
    )
    .all()
    .map(({ id, ...turn }) => ({ ...turn, messages: readMessages(db, id), details: readDetails(db, id) }));
  return { listed, turns };
}

/** The turns of the newest reading as a person would tell them: `role: text` lines, `kind tool: input → output` lines. */
export function tellTurns(db: Database): string[] {
  return db
    .query<{ id: number; state: string; left: number }, []>(
      "select turns.id, state, left_at is not null as left from turns join session_turns on turn_id = turns.id order by session_id, position",
    )
    .all()
    .flatMap(({ id, state, left }, n) => [
      `turn ${n + 1}${state === "open" ? "" : ` ${state}`}${left ? " left" : ""}`,
      ...readMessages(db, id).map(({ role, text }) => `  ${role}: ${text}`),
      ...readDetails(db, id).map(
        ({ kind, tool, input, output }) =>
          `  ${kind} ${tool ?? ""}: ${[input, output].filter((text) => text !== undefined).join(" → ")}`,
      ),
    ]);
}
