import type { Database } from "bun:sqlite";

/** A project as a list shows it. Times are UTC milliseconds. */
export interface ListedProject {
  id: number;
  path: string;
  /** Attended sessions with a turn. */
  sessions: number;
  turns: number;
  activeAt: number;
}

/** The projects that hold a turn, the one with the latest activity first. */
export const listProjects = (db: Database): ListedProject[] =>
  db
    .query<ListedProject, []>(
      `select projects.id, path, count(*) as sessions, sum(turns) as turns, max(active_at) as activeAt
       from projects join (
         select project_id, active_at, (select count(*) from session_turns where session_id = sessions.id) as turns
         from sessions where headless = 0) on project_id = projects.id
       where turns > 0 group by projects.id order by activeAt desc, projects.id desc`,
    )
    .all();

/** The path of the project with the row id, if there is one. */
export const findProjectPath = (db: Database, id: number): string | undefined =>
  db.query<{ path: string }, [number]>("select path from projects where id = ?").get(id)?.path;
