import type { Database } from "bun:sqlite";

/** How far a session's transcript has been read. */
export interface Checkpoint {
  path: string;
  fileId: string;
  /** Bytes read. */
  offset: number;
  /** A fingerprint of the bytes just before `offset`. */
  tail: string;
  /** What the reader carries on, JSON. */
  reading: string;
  /** Lines that were not understood: how many, by reason. JSON. */
  skipped: string;
}

/** The session's checkpoint, if its transcript was ever read. */
export function readCheckpoint(db: Database, sessionId: number): Checkpoint | undefined {
  const sql = "select path, file_id as fileId, offset, tail, reading, skipped from checkpoints where session_id = ?";
  return db.query<Checkpoint, [number]>(sql).get(sessionId) ?? undefined;
}

/** Writes the session's checkpoint; belongs into the transaction that stores what was read. */
export function saveCheckpoint(db: Database, sessionId: number, checkpoint: Checkpoint, at: number): void {
  db.query(
    `insert into checkpoints (session_id, path, file_id, offset, tail, reading, skipped, read_at)
     values ($sessionId, $path, $fileId, $offset, $tail, $reading, $skipped, $at)
     on conflict (session_id) do update set path = $path, file_id = $fileId, offset = $offset, tail = $tail,
       reading = $reading, skipped = $skipped, read_at = $at`,
  ).run({ sessionId, ...checkpoint, at });
}

/** How many lines of a project's transcripts were skipped, by reason. */
export function countSkipped(db: Database, projectId: number): Map<string, number> {
  const sql =
    "select skipped from checkpoints join sessions on sessions.id = session_id where project_id = ? and skipped <> '{}'";
  const counts = new Map<string, number>();
  for (const row of db.query<{ skipped: string }, [number]>(sql).all(projectId)) {
    for (const [reason, n] of Object.entries(JSON.parse(row.skipped) as Record<string, number>)) {
      counts.set(reason, (counts.get(reason) ?? 0) + n);
    }
  }
  return counts;
}

/** The reason under which lines count that were said while a project was off. */
export const passedOver = "said while it was off";

/** Has every transcript read anew, but for those of which something is not to be stored. */
export function forgetCheckpoints(db: Database): void {
  db.query("delete from checkpoints where instr(skipped, ?) = 0").run(passedOver);
}
