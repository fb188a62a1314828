import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import { gitCommonDir, projectPath } from "../project.ts";
import { projectPathOf, saveProject } from "../store/projects.ts";
import { findSession, type Session, saveSession } from "../store/sessions.ts";
import { readHead } from "../transcript/head.ts";

/** The fields of an event that name its session. */
export interface EventInput {
  session_id: string;
  transcript_path?: string | null | undefined;
  cwd?: string | null | undefined;
  source?: string | null | undefined;
}

/** Whether no person attends the session: `claude -p` and programs. */
export function isHeadless(env: Env): boolean {
  const attended = env.vars.CLAUDE_CODE_SESSION_ATTENDED;
  return attended === undefined ? (env.vars.CLAUDE_CODE_ENTRYPOINT ?? "").startsWith("sdk-") : attended === "0";
}

/** The client process that started this hook: `CLAUDE_PID`, else the parent, as the exec form starts hooks directly. */
export function clientOf(env: Env): string | undefined {
  const pid = Number(env.vars.CLAUDE_PID);
  return env.identify(Number.isInteger(pid) && pid > 0 ? pid : env.parentPid);
}

/** Whether the session's words may be stored and told at all. */
export const counts = (env: Env, config: Config): boolean => config.capture === "on" && isAttended(env, config);

/** Whether a person attends the session, or the settings count those of programs too. */
export const isAttended = (env: Env, config: Config): boolean => config.headless === "on" || !isHeadless(env);

/** The path of the event's project: the session's, where it is known. */
export function projectOf(db: Database, env: Env, input: EventInput): string {
  const known = findSession(db, input.session_id);
  return known ? projectPathOf(db, known.projectId) : projectOfNew(env, input);
}

function projectOfNew(env: Env, input: EventInput): string {
  const told = env.vars.CLAUDE_PROJECT_DIR || (input.transcript_path && readHead(input.transcript_path).cwd);
  return projectPath(told || input.cwd || env.cwd);
}

function saveProjectOf(db: Database, env: Env, input: EventInput, at: number): number {
  const path = projectOfNew(env, input);
  return saveProject(db, path, () => gitCommonDir(path), at);
}

/**
 * Records that the event's session exists and is active. Its project is where it was started, `CLAUDE_PROJECT_DIR`, else
 * the first folder in its transcript; the event's own `cwd` drifts with every `cd` and is the last resort.
 */
export function recordSession(db: Database, env: Env, input: EventInput): Session {
  const at = env.now();
  const known = findSession(db, input.session_id);
  const projectId = known?.projectId ?? saveProjectOf(db, env, input, at);
  return saveSession(db, {
    sessionId: input.session_id,
    projectId,
    transcriptPath: input.transcript_path ?? undefined,
    entrypoint: env.vars.CLAUDE_CODE_ENTRYPOINT,
    source: input.source ?? undefined,
    headless: isHeadless(env),
    at,
  });
}
