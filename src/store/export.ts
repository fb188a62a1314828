import type { Database } from "bun:sqlite";
import type { Detail, Message } from "../types.ts";
import { readDetails } from "./details.ts";
import { readMessages, readSummary } from "./messages.ts";

/** A session as it is exported. Times are UTC milliseconds. */
export interface ExportedSession {
  type: "session";
  /** Claude Code's session id. */
  id: string;
  project: string;
  git_common_dir: string | null;
  transcript: string | null;
  entrypoint: string | null;
  headless: boolean;
  source: string | null;
  started_at: number;
  active_at: number;
  ended_at: number | null;
  end_reason: string | null;
  predecessor: string | null;
  link_reason: string | null;
  linked_at: number | null;
}

/** A turn as a session lists it. Times are UTC milliseconds. */
export interface ExportedTurn {
  type: "turn";
  uuid: string;
  parent_uuid: string | null;
  session: string;
  /** Its place in the session, from 1. */
  number: number;
  started_at: number;
  /** Minutes east of UTC. */
  zone_offset: number;
  /** `open`, `interrupted`, or `left` where a rewind went back before it. */
  state: string;
  left_at: number | null;
  /** Where the state is `left`: that it was interrupted before. */
  interrupted?: true;
  cwd: string | null;
  messages: { uuid: string; role: string; at: number; text: string }[];
  /** The texts by role, for convenience. */
  prompt: string[];
  answer: string[];
  summary: string | null;
  usage: { model: string | null; context_tokens: number | null } | null;
  details: {
    kind: string;
    source_id: string;
    tool: string | null;
    at: number;
    input: string | null;
    output: string | null;
  }[];
}

/** Which sessions: one, those of a project, or all. */
export type ExportScope = { session: string } | { projectId: number } | "all";

/** The sessions of a scope in the order in which they were first seen. */
export function exportSessions(db: Database, scope: ExportScope): (ExportedSession & { row: number })[] {
  const [where, value] =
    scope === "all"
      ? ["1", null]
      : "session" in scope
        ? ["sessions.uuid = ?", scope.session]
        : ["sessions.project_id = ?", scope.projectId];
  const sql = `select 'session' as type, sessions.id as row, sessions.uuid as id, path as project, git_common_dir, sessions.transcript_path as transcript,
      sessions.entrypoint, sessions.headless, sessions.source, sessions.started_at, sessions.active_at, sessions.ended_at,
      sessions.end_reason, predecessor.uuid as predecessor, sessions.link_reason, sessions.linked_at
    from sessions join projects on projects.id = sessions.project_id
    left join sessions predecessor on predecessor.id = sessions.predecessor_id
    where ${where} order by sessions.id`;
  type Row = Omit<ExportedSession, "headless"> & { row: number; headless: number };
  const query = db.query<Row, (string | number)[]>(sql);
  const rows = value === null ? query.all() : query.all(value);
  return rows.map((row) => ({ ...row, headless: row.headless === 1 }));
}

type TurnRow = Omit<
  ExportedTurn,
  "type" | "interrupted" | "messages" | "prompt" | "answer" | "summary" | "usage" | "details"
> & {
  id: number;
  interrupted: number;
  model: string | null;
  context_tokens: number | null;
};

/** The turns that a session lists, those it left too, in order; one at a time. */
export function* exportTurns(db: Database, session: { row: number; id: string }): Generator<ExportedTurn> {
  const rows = db
    .query<TurnRow, { row: number; session: string }>(
      `select turns.id, uuid, parent_uuid, $session as session, row_number() over (order by position) as number, started_at,
         zone_offset, iif(left_at is null, state, 'left') as state, left_at,
         left_at is not null and state = 'interrupted' as interrupted, cwd, model, context_tokens
       from session_turns join turns on turns.id = turn_id where session_id = $row order by position`,
    )
    .all({ row: session.row, session: session.id });
  for (const { id, model, context_tokens, interrupted, ...turn } of rows) {
    const messages = readMessages(db, id);
    yield {
      type: "turn",
      ...turn,
      ...(interrupted ? { interrupted: true } : {}),
      messages: messages.map(({ sourceId, role, at, text }) => ({ uuid: sourceId, role, at, text })),
      prompt: textsOf(messages, "user"),
      answer: textsOf(messages, "assistant"),
      summary: readSummary(db, id) ?? null,
      usage: model === null && context_tokens === null ? null : { model, context_tokens },
      details: readDetails(db, id).map(exportDetail),
    };
  }
}

/** The head of a turn as a session lists it. */
export interface ListedTurn {
  id: number;
  uuid: string;
  /** UTC milliseconds. */
  startedAt: number;
  /** Minutes east of UTC. */
  zoneOffset: number;
  /** `open`, `interrupted`, `answer_only`, or `left` where a rewind went back before it. */
  state: string;
  contextTokens: number | null;
}

/** The heads of the turns that a session lists, those it left too, in order. */
export const listedTurns = (db: Database, sessionId: number): ListedTurn[] =>
  db
    .query<ListedTurn, [number]>(
      `select turns.id, uuid, started_at as startedAt, zone_offset as zoneOffset,
         iif(left_at is null, state, 'left') as state, context_tokens as contextTokens
       from session_turns join turns on turns.id = turn_id where session_id = ? order by position`,
    )
    .all(sessionId);

const textsOf = (messages: readonly Message[], role: Message["role"]): string[] =>
  messages.filter((message) => message.role === role).map((message) => message.text);

const exportDetail = ({ kind, sourceId, tool, at, input, output }: Detail): ExportedTurn["details"][number] => ({
  kind,
  source_id: sourceId,
  tool: tool ?? null,
  at,
  input: input ?? null,
  output: output ?? null,
});
