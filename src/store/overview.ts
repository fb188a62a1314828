import type { Database } from "bun:sqlite";
import type { LinkReason } from "../types.ts";

/** A session as an overview shows it. Times are UTC milliseconds. */
export interface SessionOverview {
  id: number;
  sessionId: string;
  /** How it began: `clear`, `startup` … */
  source: string | null;
  startedAt: number;
  activeAt: number;
  endedAt: number | null;
  endReason: string | null;
  predecessorId: number | null;
  linkReason: LinkReason | null;
  /** Its own turns, and those among them that it left. */
  turns: number;
  left: number;
  firstPrompt: string | null;
  /** Minutes east of UTC at its first turn. */
  zoneOffset: number | null;
  /** What its start came to: `restored`, or why nothing was. */
  outcome: string | null;
  fullTurns: number | null;
  lineTurns: number | null;
  characters: number | null;
}

/** A project's newest attended sessions, oldest first. */
export const readOverview = (db: Database, projectId: number, limit: number): SessionOverview[] =>
  db
    .query<SessionOverview, { projectId: number; limit: number }>(
      `select * from (
         select sessions.id, sessions.uuid as sessionId, source, sessions.started_at as startedAt, active_at as activeAt,
           ended_at as endedAt, end_reason as endReason, predecessor_id as predecessorId, link_reason as linkReason,
           (select count(*) from session_turns where session_id = sessions.id) as turns,
           (select count(*) from session_turns where session_id = sessions.id and left_at is not null) as left,
           (select substr(text, 1, 200) from messages where role = 'user' and turn_id =
             (select turn_id from session_turns where session_id = sessions.id order by position limit 1)
            order by id limit 1) as firstPrompt,
           (select zone_offset from turns where id =
             (select turn_id from session_turns where session_id = sessions.id order by position limit 1)) as zoneOffset,
           outcome, full_turns as fullTurns, line_turns as lineTurns, characters
         from sessions left join restores on restores.session_id = sessions.id
         where project_id = $projectId and headless = 0 order by sessions.started_at desc, sessions.id desc limit $limit)
       order by startedAt, id`,
    )
    .all({ projectId, limit });

/** A session in the tree of who continues whom. */
export type Branch<Overview extends SessionOverview> = Overview & { successors: Branch<Overview>[] };

/** Sessions under the ones they continue; one whose predecessor is not among them is a root. */
export function growTree<Overview extends SessionOverview>(sessions: readonly Overview[]): Branch<Overview>[] {
  const branches = new Map(sessions.map((one): [number, Branch<Overview>] => [one.id, { ...one, successors: [] }]));
  return [...branches.values()].filter((branch) => {
    const predecessor = branches.get(branch.predecessorId ?? 0);
    if (!predecessor || predecessor.startedAt > branch.startedAt) return true;
    predecessor.successors.push(branch);
    return false;
  });
}
