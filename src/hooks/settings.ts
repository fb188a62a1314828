import type { Database } from "bun:sqlite";
import { type Config, readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { saveDailyFailure } from "../store/failures.ts";
import { projectPathOf } from "../store/projects.ts";
import { type EventInput, projectOf } from "./session.ts";

/** The kind of failure that is a wrong `config.json`. */
export const wrongSettings = "config";

/**
 * The settings that hold for an event. What is wrong in the file is as if it were not there, and is kept to be told at
 * the next start, the same at most once a day.
 */
export function settingsOf(db: Database, env: Env, input: EventInput): Config {
  const { config, problems } = readSettings(env, () => projectOf(db, env, input));
  if (problems.length > 0) {
    const failure = { at: env.now(), event: wrongSettings, sessionId: input.session_id, message: problems.join("; ") };
    saveDailyFailure(db, failure);
  }
  return config;
}

/** Whether what is said in a project may be stored. */
export const isCaptured = (db: Database, env: Env, projectId: number): boolean =>
  readSettings(env, () => projectPathOf(db, projectId)).config.capture === "on";
