import type { Database } from "bun:sqlite";
import type { LinkReason } from "../types.ts";

/** A session's row. Times are UTC milliseconds. */
export interface Session {
  id: number;
  sessionId: string;
  projectId: number;
  transcriptPath: string | null;
  entrypoint: string | null;
  source: string | null;
  startedAt: number;
  activeAt: number;
  endedAt: number | null;
  endReason: string | null;
  predecessorId: number | null;
  linkReason: LinkReason | null;
  inheritedTurns: number;
  inheritedSince: number | null;
}

/** What an event says about its session. */
export interface SessionEvent {
  sessionId: string;
  projectId: number;
  transcriptPath?: string | undefined;
  entrypoint?: string | undefined;
  source?: string | undefined;
  headless: boolean;
  at: number;
}

const columns = `id, uuid as sessionId, project_id as projectId, transcript_path as transcriptPath, entrypoint, source,
  started_at as startedAt, active_at as activeAt, ended_at as endedAt, end_reason as endReason,
  predecessor_id as predecessorId, link_reason as linkReason, inherited_turns as inheritedTurns,
  inherited_since as inheritedSince`;

/** The session with Claude Code's id. */
export const findSession = (db: Database, sessionId: string): Session | undefined =>
  db.query<Session, [string]>(`select ${columns} from sessions where uuid = ?`).get(sessionId) ?? undefined;

/** The session with the row id. */
export const getSession = (db: Database, id: number): Session =>
  db.query<Session, [number]>(`select ${columns} from sessions where id = ?`).get(id) as Session;

/** The project's session with the latest activity that has a turn. */
export const findNewestSession = (db: Database, projectId: number): Session | undefined =>
  db
    .query<Session, [number]>(
      `select ${columns} from sessions where project_id = ? and exists (select 1 from session_turns where session_id = sessions.id)
       order by active_at desc, id desc limit 1`,
    )
    .get(projectId) ?? undefined;

/** Records that a session had an event; its project, once known, never changes. Returns the session's row. */
export function saveSession(db: Database, event: SessionEvent): Session {
  db.query(
    `insert into sessions (uuid, project_id, transcript_path, entrypoint, headless, source, started_at, active_at)
     values ($sessionId, $projectId, $transcriptPath, $entrypoint, $headless, $source, $at, $at)
     on conflict (uuid) do update set
       transcript_path = coalesce($transcriptPath, transcript_path), entrypoint = coalesce($entrypoint, entrypoint),
       source = coalesce(source, $source), active_at = max(active_at, $at)`,
  ).run({
    sessionId: event.sessionId,
    projectId: event.projectId,
    transcriptPath: event.transcriptPath ?? null,
    entrypoint: event.entrypoint ?? null,
    headless: event.headless ? 1 : 0,
    source: event.source ?? null,
    at: event.at,
  });
  return findSession(db, event.sessionId) as Session;
}

/** Records that the session was active when its last message was said, for one that is known by its transcript alone. */
export function touchSession(db: Database, id: number): void {
  db.query(
    `update sessions set active_at = max(active_at, coalesce((select max(at) from messages join session_turns
       using (turn_id) where session_id = $id), 0)) where id = $id`,
  ).run({ id });
}

/** Records where the session's transcript was found. */
export function moveTranscript(db: Database, id: number, path: string): void {
  db.query("update sessions set transcript_path = ? where id = ?").run(path, id);
}

/** Records that the session is over for now; a resume makes it live again. */
export function endSession(db: Database, id: number, reason: string, at: number): void {
  db.query("update sessions set ended_at = $at, end_reason = $reason where id = $id").run({ id, reason, at });
}

/** Records that a client process serves the session. */
export function serveSession(db: Database, client: string, id: number, at: number): void {
  db.query(
    `insert into clients (client, session_id, served_at) values ($client, $id, $at)
     on conflict (client, session_id) do update set served_at = $at, ended_at = null`,
  ).run({ client, id, at });
  db.query("update sessions set ended_at = null, end_reason = null where id = ? and ended_at is not null").run(id);
}

/** Records that a client process reported the session's end. */
export function endService(db: Database, client: string, id: number, at: number): void {
  db.query(
    `insert into clients (client, session_id, served_at, ended_at) values ($client, $id, $at, $at)
     on conflict (client, session_id) do update set ended_at = $at`,
  ).run({ client, id, at });
}

/** How many turns the session lists itself and has not left. */
export const countTurns = (db: Database, id: number): number =>
  db
    .query<{ n: number }, [number]>("select count(*) as n from session_turns where session_id = ? and left_at is null")
    .get(id)?.n ?? 0;

/** Whether no other session of the project was ever seen. */
export const isFirstSession = (db: Database, session: Session): boolean =>
  db.query("select 1 from sessions where project_id = ? and id <> ? limit 1").get(session.projectId, session.id) ===
  null;
