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
  /** The time as of which the predecessor's thread is inherited. */
  inheritedUntil: number;
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
  predecessor_id as predecessorId, link_reason as linkReason,
  coalesce(inherited_until, started_at) as inheritedUntil, inherited_turns as inheritedTurns,
  inherited_since as inheritedSince`;

/** The session with Claude Code's id. */
export const findSession = (db: Database, sessionId: string): Session | undefined =>
  db.query<Session, [string]>(`select ${columns} from sessions where uuid = ?`).get(sessionId) ?? undefined;

/** The sessions whose id begins so, two at most. */
export const findByPrefix = (db: Database, prefix: string): Session[] =>
  prefix === ""
    ? []
    : db
        .query<Session, { prefix: string }>(
          `select ${columns} from sessions where substr(uuid, 1, length($prefix)) = $prefix
           order by uuid <> $prefix limit 2`,
        )
        .all({ prefix });

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

/** Attended sessions that nobody ended and nothing was heard of since a time, the longest silent first. */
export const findIdleSessions = (db: Database, since: number, limit: number): Session[] =>
  db
    .query<Session, [number, number]>(
      `select ${columns} from sessions where ended_at is null and active_at < ? and headless = 0
       order by active_at limit ?`,
    )
    .all(since, limit);

/** The newest sessions without a turn, of a project or a client process, that nobody ended. */
export const findUnheard = (db: Database, projectId: number, self: number, client: string): Session[] =>
  db
    .query<Session, { projectId: number; self: number; client: string }>(
      `select ${columns} from sessions indexed by sessions_open
       where ended_at is null and headless = 0 and id <> $self and transcript_path is not null
         and (project_id = $projectId or id in (select session_id from clients where client = $client))
         and not exists (select 1 from session_turns where session_id = sessions.id)
       order by active_at desc limit 30`,
    )
    .all({ projectId, self, client });

/** The client processes that serve or served the session and did not say that it ended. */
export const clientsOf = (db: Database, id: number): string[] =>
  db
    .query<{ client: string }, [number]>("select client from clients where session_id = ? and ended_at is null")
    .all(id)
    .map(({ client }) => client);

/** Records where the session's transcript was found. */
export function moveTranscript(db: Database, id: number, path: string): void {
  db.query("update sessions set transcript_path = ? where id = ?").run(path, id);
}

/** Records that the session is over for now; a resume makes it live again. */
export function endSession(db: Database, id: number, reason: string, at: number): void {
  db.query("update sessions set ended_at = $at, end_reason = $reason where id = $id").run({ id, reason, at });
}

/** Records that a client process is known to serve the session; a late word of it says nothing of when. */
export function noteService(db: Database, client: string, id: number, at: number): void {
  db.query(
    `insert into clients (client, session_id, served_at) values ($client, $id, $at)
     on conflict (client, session_id) do update set ended_at = null where ended_at is not null`,
  ).run({ client, id, at });
}

/** Records that a client process turned to the session. */
export function serveSession(db: Database, client: string, id: number, at: number): void {
  db.query(
    `insert into clients (client, session_id, served_at) values ($client, $id, $at)
     on conflict (client, session_id) do update set served_at = $at, ended_at = null`,
  ).run({ client, id, at });
  db.query("update sessions set ended_at = null, end_reason = null where id = ? and ended_at is not null").run(id);
}

/**
 * Records that a client process reported the session's end. A second report counts where what it did last was to end
 * another one: then the session was resumed without a word. Else it is the first report once more.
 */
export function endService(db: Database, client: string, id: number, at: number): void {
  db.query(
    `insert into clients (client, session_id, served_at, ended_at) values ($client, $id, $at, $at)
     on conflict (client, session_id) do update set ended_at = iif(ended_at is null or coalesce((
       select other.ended_at from clients other where other.client = $client and other.session_id <> $id
       order by coalesce(other.ended_at, other.served_at) desc limit 1), 0) > 0, $at, ended_at)`,
  ).run({ client, id, at });
}

/** Whether the session lists so many turns at least, those it left too. */
export const hasTurns = (db: Database, id: number, count: number): boolean =>
  db.query("select 1 from session_turns where session_id = ? limit 1 offset ?").get(id, count - 1) !== null;

/** Whether the session lists a turn that it has not left. */
export const hasLiveTurn = (db: Database, id: number): boolean =>
  db.query("select 1 from session_turns where session_id = ? and left_at is null limit 1").get(id) !== null;

/** Whether no other session of the project was ever seen. */
export const isFirstSession = (db: Database, session: Session): boolean =>
  db.query("select 1 from sessions where project_id = ? and id <> ? limit 1").get(session.projectId, session.id) ===
  null;
