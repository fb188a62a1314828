import type { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ingest } from "../../src/ingest.ts";
import { openStore } from "../../src/store/open.ts";
import { saveProject } from "../../src/store/projects.ts";
import { type Session, saveSession } from "../../src/store/sessions.ts";

export const noon = Date.UTC(2026, 10, 30, 12, 0, 0);

/** A session row in a project row, as the hooks make them. */
export function makeSession(
  db: Database,
  sessionId: string,
  change: { project?: string; at?: number; entrypoint?: string; headless?: boolean } = {},
): Session {
  const at = change.at ?? noon;
  const projectId = saveProject(db, change.project ?? "/home/dev/project", () => undefined, at);
  return saveSession(db, {
    sessionId,
    projectId,
    headless: change.headless ?? false,
    entrypoint: change.entrypoint,
    at,
  });
}

/** Reads transcript text into a session, through a file as always. */
export function ingestText(db: Database, session: Session, folder: string, text: string | Uint8Array): void {
  const file = join(folder, `${session.sessionId}.jsonl`);
  writeFileSync(file, text);
  ingest(db, session.id, file, { now: noon, zoneOffset: 0 });
}

export const memoryStore = (): Database => openStore(":memory:");
