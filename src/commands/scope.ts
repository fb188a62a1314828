import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { Env } from "../env.ts";
import { databaseFile } from "../paths.ts";
import { projectPath } from "../project.ts";
import { openStore, openStoreReadonly } from "../store/open.ts";
import { findProject, projectPathOf } from "../store/projects.ts";
import { findNewestSession, findSession, type Session } from "../store/sessions.ts";
import { UsageError } from "./usage.ts";

/** What a command is about: a project and, where there is one, the session whose thread counts. */
export interface Scope {
  projectId: number;
  session: Session | undefined;
}

/**
 * The session that is named, else the one whose Bash tool runs the command, else the newest of the current folder's
 * project.
 * @throws UsageError when the named session is not stored
 */
export function findScope(db: Database, env: Env, named: string | undefined): Scope | undefined {
  if (named !== undefined) {
    const session = findSession(db, named);
    if (!session) throw new UsageError(`no session ${named} is stored`);
    return { projectId: session.projectId, session };
  }
  const caller = findSession(db, env.vars.CLAUDE_CODE_SESSION_ID ?? "");
  if (caller) return { projectId: caller.projectId, session: caller };
  const projectId = findProject(db, projectPath(env.vars.CLAUDE_PROJECT_DIR || env.cwd));
  return projectId === undefined ? undefined : { projectId, session: findNewestSession(db, projectId) };
}

/** The path of the project that a command is about, whether anything is stored of it or not. */
export function projectOfCall(env: Env): string {
  using db = env.vars.CLAUDE_CODE_SESSION_ID ? openStoreReadonly(databaseFile(env)) : undefined;
  const caller = db && findSession(db, env.vars.CLAUDE_CODE_SESSION_ID ?? "");
  return caller ? projectPathOf(db, caller.projectId) : projectPath(env.vars.CLAUDE_PROJECT_DIR || env.cwd);
}

/**
 * The store, opened for reading.
 * @throws when nothing was ever stored
 */
export function openForReading(env: Env): Database {
  const db = openStoreReadonly(databaseFile(env));
  if (!db) throw new Error(`nothing is stored yet: there is no ${databaseFile(env)}`);
  return db;
}

/**
 * The store, opened for writing.
 * @throws when nothing was ever stored
 */
export function openForWriting(env: Env): Database {
  const file = databaseFile(env);
  if (!existsSync(file)) throw new Error(`nothing is stored yet: there is no ${file}`);
  return openStore(file);
}
