import type { Database } from "bun:sqlite";

/** What is stored for one project. */
export interface Totals {
  path: string;
  sessions: number;
  headless: number;
  turns: number;
  messages: number;
  details: number;
  /** ISO time. */
  lastCaptureAt: string | null;
}

/** Counts what is stored for a project. */
export function readTotals(db: Database, projectId: number): Totals {
  const ofProject =
    "select distinct turn_id from session_turns join sessions on sessions.id = session_id where project_id = $projectId";
  const row = db
    .query<Omit<Totals, "lastCaptureAt"> & { readAt: number | null }, { projectId: number }>(
      `select path,
         (select count(*) from sessions where project_id = $projectId and headless = 0
            and exists (select 1 from session_turns where session_id = sessions.id)) as sessions,
         (select count(*) from sessions where project_id = $projectId and headless = 1) as headless,
         (select count(*) from (${ofProject})) as turns,
         (select count(*) from messages where turn_id in (${ofProject})) as messages,
         (select coalesce(sum(json_array_length(source_ids)), 0) from detail_packs where turn_id in (${ofProject})) as details,
         (select max(read_at) from checkpoints join sessions on sessions.id = session_id where project_id = $projectId) as readAt
       from projects where id = $projectId`,
    )
    .get({ projectId });
  if (!row) throw new Error(`no project ${projectId}`);
  const { readAt, ...totals } = row;
  return { ...totals, lastCaptureAt: readAt === null ? null : new Date(readAt).toISOString() };
}
