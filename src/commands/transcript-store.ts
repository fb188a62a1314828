import type { Database } from "bun:sqlite";
import { basename } from "node:path";
import type { Env } from "../env.ts";
import { ingest } from "../ingest.ts";
import { projectPath } from "../project.ts";
import { openStore } from "../store/open.ts";
import { saveProject } from "../store/projects.ts";
import { getSession, type Session, saveSession, touchSession } from "../store/sessions.ts";
import { readHead } from "../transcript/head.ts";
import { UsageError } from "./usage.ts";

/**
 * One transcript in a store in memory that is of this call only: the person's store is not touched.
 * @throws UsageError when there is no such file
 */
export function readTranscript(env: Env, file: string): { db: Database; session: Session } {
  const db = openStore(":memory:");
  const head = readHead(file);
  const projectId = saveProject(db, projectPath(head.cwd ?? env.cwd), () => undefined, env.now());
  const sessionId = head.sessionId ?? basename(file, ".jsonl");
  const at = head.startedAt ?? env.now();
  const session = saveSession(db, { sessionId, projectId, transcriptPath: file, headless: false, at });
  if (ingest(db, session.id, file, { now: at, zoneOffset: env.zoneOffset, finished: true }).found) {
    touchSession(db, session.id);
    return { db, session: getSession(db, session.id) };
  }
  db.close();
  throw new UsageError(`there is no transcript ${file}`);
}
