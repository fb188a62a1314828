import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { Env } from "../env.ts";
import { type Ingested, ingest } from "../ingest.ts";
import { clientProjects } from "../paths.ts";
import { dropAnswersOnly } from "../store/answers.ts";
import { moveTranscript, type Session } from "../store/sessions.ts";
import { locateTranscript } from "../transcript/locate.ts";
import { isCaptured } from "./settings.ts";

/**
 * Reads what a session's transcript holds beyond its checkpoint, wherever the transcript is by now. Where the
 * session's project is switched off, whichever project's event it is, that is passed over and never stored.
 * @param time milliseconds after which the reading stops, to be gone on with at the next event; absent: all of it
 */
export function catchUp(db: Database, env: Env, session: Session, time?: number): Ingested {
  const path = transcriptOf(db, env, session);
  if (path === undefined) return { found: false, complete: true, bytes: 0 };
  const started = env.now();
  const read = ingest(db, session.id, path, {
    now: started,
    zoneOffset: env.zoneOffset,
    passOver: !isCaptured(db, env, session.projectId),
    ...(time === undefined ? {} : { outOfTime: () => env.now() - started > time }),
  });
  if (read.bytes > 0) dropAnswersOnly(db, session);
  return read;
}

function transcriptOf(db: Database, env: Env, session: Session): string | undefined {
  if (session.transcriptPath !== null && existsSync(session.transcriptPath)) return session.transcriptPath;
  const path = locateTranscript(clientProjects(env), session.sessionId);
  if (path !== undefined) moveTranscript(db, session.id, path);
  return path;
}
