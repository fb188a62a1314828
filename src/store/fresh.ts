import type { Database } from "bun:sqlite";

/** Asks for a clean start of a session's successor, or of a project's next session. */
export function askFresh(db: Database, of: { sessionId: number } | { projectId: number }, at: number): void {
  if ("sessionId" in of) db.query("update sessions set fresh_at = ? where id = ?").run(at, of.sessionId);
  else db.query("update projects set fresh_at = ? where id = ?").run(at, of.projectId);
}

/** Whether a clean start was asked for; once taken it is no longer. Belongs into an immediate transaction. */
export function takeFresh(db: Database, projectId: number, predecessorId: number | undefined): boolean {
  const ofSession = db
    .query("update sessions set fresh_at = null where id = ? and fresh_at is not null")
    .run(predecessorId ?? 0).changes;
  const ofProject = db
    .query("update projects set fresh_at = null where id = ? and fresh_at is not null")
    .run(projectId).changes;
  return ofSession + ofProject > 0;
}
