import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { Env } from "../env.ts";
import { type Ingested, ingest } from "../ingest.ts";
import { clientProjects } from "../paths.ts";
import { dropAnswersOnly } from "../store/answers.ts";
import { findUnheard, moveTranscript, type Session } from "../store/sessions.ts";
import { locateTranscript } from "../transcript/locate.ts";
import { captureOf } from "./settings.ts";

/**
 * Reads what a session's transcript holds beyond its checkpoint, wherever the transcript is by now. Where the
 * session's project is switched off, whichever project's event it is, that is passed over and never stored.
 * @param time milliseconds after which the reading stops, to be gone on with at the next event; absent: all of it
 */
export function catchUp(db: Database, env: Env, session: Session, time?: number): Ingested {
  const path = transcriptOf(db, env, session);
  if (path === undefined) return { found: false, complete: true, bytes: 0 };
  const started = env.now();
  const { isOn, masks } = captureOf(db, env, session.projectId);
  const read = ingest(db, session.id, path, {
    now: started,
    zoneOffset: env.zoneOffset,
    passOver: !isOn,
    masks,
    ...(time === undefined ? {} : { outOfTime: () => env.now() - started > time }),
  });
  if (read.bytes > 0) dropAnswersOnly(db, session);
  return read;
}

/** Milliseconds for each of the sessions of which nothing was read yet. */
const unheardTime = 300;

/**
 * Reads the sessions without a turn that nobody ended: of a killed window, or one whose end was not reported, nothing may
 * have been read yet.
 * @param client also those that this client process serves in other projects
 */
export function readUnheard(db: Database, env: Env, { id, projectId }: Session, client = ""): void {
  for (const unheard of findUnheard(db, projectId, id, client)) catchUp(db, env, unheard, unheardTime);
}

function transcriptOf(db: Database, env: Env, session: Session): string | undefined {
  if (session.transcriptPath !== null && existsSync(session.transcriptPath)) return session.transcriptPath;
  const path = locateTranscript(clientProjects(env), session.sessionId);
  if (path !== undefined) moveTranscript(db, session.id, path);
  return path;
}
