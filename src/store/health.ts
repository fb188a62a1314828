import type { Database } from "bun:sqlite";
import { migrations } from "./migrate.ts";

/** The state of the database file itself. */
export interface Health {
  schema: number;
  /** The newest schema that this program knows. */
  newestSchema: number;
  /** What SQLite's own check says: `ok`, or what is damaged. */
  integrity: string[];
  journalMode: string;
  sqliteVersion: string;
  hasFullTextSearch: boolean;
}

/** Asks SQLite about the database; reads all of it. */
export function readHealth(db: Database): Health {
  const value = (sql: string): unknown => Object.values(db.query<Record<string, unknown>, []>(sql).get() ?? {})[0];
  return {
    schema: Number(value("pragma user_version")),
    newestSchema: migrations.length,
    integrity: db
      .query<{ integrity_check: string }, []>("pragma integrity_check(3)")
      .all()
      .map((row) => row.integrity_check),
    journalMode: String(value("pragma journal_mode")),
    sqliteVersion: String(value("select sqlite_version()")),
    hasFullTextSearch: value("select sqlite_compileoption_used('ENABLE_FTS5')") === 1,
  };
}

/** A session's transcript and how far it was read. */
export interface ReadSession {
  sessionId: string;
  path: string | null;
  headless: number;
  offset: number | null;
}

/** How far each transcript of the project was read, newest activity first. */
export const readProgress = (db: Database, projectId: number): ReadSession[] =>
  db
    .query<ReadSession, [number]>(
      `select uuid as sessionId, transcript_path as path, headless, offset
       from sessions left join checkpoints on session_id = sessions.id
       where project_id = ? order by active_at desc limit 1000`,
    )
    .all(projectId);

/** How the parts of a session's restore begin, those that were handed to the client. */
export const readEmitted = (db: Database, sessionId: number): { part: number; beginning: string }[] =>
  db
    .query<{ part: number; beginning: string }, [number]>(
      `select part, substr(text, 1, 40) as beginning from injections
       where session_id = ? and emitted_at is not null order by part`,
    )
    .all(sessionId);
