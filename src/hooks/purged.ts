import type { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Env } from "../env.ts";
import { clientFolder, clientProjects } from "../paths.ts";
import { readCheckpoint } from "../store/checkpoints.ts";
import type { Session } from "../store/sessions.ts";

/** After so many days the client itself deletes a transcript, unless its settings say otherwise. */
const usualDays = 30;
const day = 86_400_000;

/**
 * Whether the person deleted a session's transcript: it was read here, lay with the client's others, and is gone long before
 * the client would have deleted it. Asked where it was not found.
 * @returns after how many days the client would have
 */
export function purgedBefore(db: Database, env: Env, session: Session): number | undefined {
  const read = readCheckpoint(db, session.id)?.path;
  const projects = clientProjects(env);
  if (read === undefined || !read.startsWith(projects + sep) || !existsSync(dirname(projects))) return undefined;
  const days = cleanupDays(env);
  return env.now() - session.activeAt < (days - 1) * day ? days : undefined;
}

// What cannot be read says nothing: the client complains about its settings itself.
function cleanupDays(env: Env): number {
  try {
    const { cleanupPeriodDays } = JSON.parse(readFileSync(join(clientFolder(env), "settings.json"), "utf8"));
    return Number.isInteger(cleanupPeriodDays) && cleanupPeriodDays >= 0 ? cleanupPeriodDays : usualDays;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) return usualDays;
    throw error;
  }
}
