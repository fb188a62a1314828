import type { Database } from "bun:sqlite";
import { type Config, readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { type Masks, masksOf } from "../mask/masks.ts";
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

/** What a project's settings say of storing: whether at all, and what is masked. */
export function captureOf(db: Database, env: Env, projectId: number): { isOn: boolean; masks: Masks } {
  const { config } = readSettings(env, () => projectPathOf(db, projectId));
  return { isOn: config.capture === "on", masks: masksOf(config) };
}
