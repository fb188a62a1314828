import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { estimateKeptTokens } from "../kept.ts";
import { databaseFile, lastErrorFile } from "../paths.ts";
import { isAnythingUntold } from "../store/failures.ts";
import { openStoreReadonly } from "../store/open.ts";
import { projectPathOf } from "../store/projects.ts";
import { findSession, type Session } from "../store/sessions.ts";
import { isLineMissing } from "../summaries.ts";
import type { Shown } from "./line.ts";

/** What the store says to the line. */
export type State = Pick<Shown, "kept" | "linesWait" | "failed">;

const nothing: State = { kept: undefined, linesWait: false, failed: false };

/** What the store says of a session. Changes nothing; a store that cannot be read is something that failed. */
export function readState(env: Env, sessionId: string | undefined): State {
  try {
    using db = openStoreReadonly(databaseFile(env));
    if (!db) return { ...nothing, failed: existsSync(lastErrorFile(env)) };
    const failed = isAnythingUntold(db) || existsSync(lastErrorFile(env));
    const session = sessionId === undefined ? undefined : findSession(db, sessionId);
    return session ? { ...stateOf(db, env, session), failed } : { ...nothing, failed };
  } catch (error) {
    if (error instanceof Error) return { ...nothing, failed: true };
    throw error;
  }
}

function stateOf(db: Database, env: Env, session: Session): Omit<State, "failed"> {
  const { config } = readSettings(env, () => projectPathOf(db, session.projectId));
  if (config.capture === "off") return nothing;
  return {
    kept: estimateKeptTokens(db, session, config),
    linesWait: config.summaries !== "off" && isLineMissing(db, session, env.now()),
  };
}
