import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import { gitCommonDir, projectPath } from "../project.ts";
import { saveProject } from "../store/projects.ts";
import { findSession, type Session, saveSession } from "../store/sessions.ts";

/** The fields of an event that name its session. */
export interface EventInput {
  session_id: string;
  transcript_path?: string | null | undefined;
  cwd?: string | undefined;
  source?: string | undefined;
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
export const counts = (env: Env, config: Config): boolean =>
  config.capture === "on" && (config.headless === "on" || !isHeadless(env));

/**
 * Records that the event's session exists and is active. Its project is where it was started, `CLAUDE_PROJECT_DIR`;
 * the event's own `cwd` drifts with every `cd` and is only used where the client does not tell.
 */
export function recordSession(db: Database, env: Env, input: EventInput): Session {
  const at = env.now();
  const known = findSession(db, input.session_id);
  const folder = env.vars.CLAUDE_PROJECT_DIR || input.cwd || env.cwd;
  const projectId =
    known?.projectId ?? saveProject(db, projectPath(folder), () => gitCommonDir(projectPath(folder)), at);
  return saveSession(db, {
    sessionId: input.session_id,
    projectId,
    transcriptPath: input.transcript_path ?? undefined,
    entrypoint: env.vars.CLAUDE_CODE_ENTRYPOINT,
    source: input.source,
    headless: isHeadless(env),
    at,
  });
}
