import type { Database } from "bun:sqlite";

/** A session that a client process serves, as far as its events tell. */
export interface Served {
  /** The process's name, its pid first. */
  client: string;
  sessionId: string;
  project: string;
}

/** The sessions whose end was never reported, the newest of each client process; the process may be gone all the same. */
export const findServed = (db: Database): Served[] =>
  db
    .query<Served & { servedAt: number }, []>(
      `select client, sessions.uuid as sessionId, path as project, max(served_at) as servedAt
       from clients join sessions on sessions.id = session_id join projects on projects.id = project_id
       where clients.ended_at is null and sessions.ended_at is null group by client order by servedAt`,
    )
    .all()
    .map(({ client, sessionId, project }) => ({ client, sessionId, project }));

/** How much is stored in all. */
export const countAll = (db: Database): { turns: number; sessions: number; projects: number } =>
  db
    .query<{ turns: number; sessions: number; projects: number }, []>(
      `select (select count(*) from turns) as turns, (select count(*) from sessions) as sessions,
         (select count(*) from projects) as projects`,
    )
    .get() as { turns: number; sessions: number; projects: number };
