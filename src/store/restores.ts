import type { Database } from "bun:sqlite";

/** What a session was given at its start, and why. Times are UTC milliseconds. */
export interface Restore {
  sessionId: number;
  leaderPid: number;
  startedAt: number;
  finishedAt: number | null;
  /** `restored`, or why nothing was. */
  outcome: string | null;
  parts: number;
  fullTurns: number;
  lineTurns: number;
  characters: number;
  /** The context's size in tokens that the restored text replaces. */
  replacedTokens: number | null;
  /** What the person is told. */
  notice: string | null;
}

/** One of the texts that the SessionStart hooks emit. */
export interface Slice {
  sessionId: number;
  part: number;
  text: string;
  /** The time of the slice's first turn as `detail` takes it. */
  firstAt: string | null;
  pid: number | null;
  emittedAt: number | null;
}

const columns = `restores.session_id as sessionId, leader_pid as leaderPid, restores.started_at as startedAt,
  finished_at as finishedAt, outcome, parts, full_turns as fullTurns, line_turns as lineTurns, characters,
  replaced_tokens as replacedTokens, notice`;

export const readRestore = (db: Database, sessionId: number): Restore | undefined =>
  db.query<Restore, [number]>(`select ${columns} from restores where session_id = ?`).get(sessionId) ?? undefined;

/** The newest restore of a project that gave something. */
export const findLastRestore = (db: Database, projectId: number): Restore | undefined =>
  db
    .query<Restore, [number]>(
      `select ${columns} from restores join sessions on sessions.id = restores.session_id
       where project_id = ? and parts > 0 order by restores.started_at desc limit 1`,
    )
    .get(projectId) ?? undefined;

/**
 * Makes this process the one that prepares the session's restore. Of the eight hooks one succeeds; another takes over
 * only when `isGone` says that the first died before it was finished.
 */
export function claimRestore(
  db: Database,
  sessionId: number,
  pid: number,
  at: number,
  isGone: (pid: number) => boolean,
): boolean {
  return db
    .transaction(() => {
      const current = readRestore(db, sessionId);
      if (current && (current.finishedAt !== null || !isGone(current.leaderPid))) return false;
      db.query(
        `insert into restores (session_id, leader_pid, started_at) values ($sessionId, $pid, $at)
         on conflict (session_id) do update set leader_pid = $pid, started_at = $at`,
      ).run({ sessionId, pid, at });
      return true;
    })
    .immediate();
}

/** Finishes the restore: its outcome and its slices. Belongs into the transaction that links the session. */
export function finishRestore(
  db: Database,
  restore: Omit<Restore, "leaderPid" | "startedAt" | "parts">,
  slices: readonly Pick<Slice, "text" | "firstAt">[],
): void {
  db.query(
    `update restores set finished_at = $finishedAt, outcome = $outcome, parts = $parts, full_turns = $fullTurns,
       line_turns = $lineTurns, characters = $characters, replaced_tokens = $replacedTokens, notice = $notice
     where session_id = $sessionId`,
  ).run({ ...restore, parts: slices.length });
  slices.forEach(({ text, firstAt }, n) => {
    db.query("insert into injections (session_id, part, text, first_at) values ($id, $part, $text, $firstAt)").run({
      id: restore.sessionId,
      part: n + 1,
      text,
      firstAt,
    });
  });
}

export const readSlice = (db: Database, sessionId: number, part: number): Slice | undefined =>
  db
    .query<Slice, [number, number]>(
      `select session_id as sessionId, part, text, first_at as firstAt, pid, emitted_at as emittedAt
       from injections where session_id = ? and part = ?`,
    )
    .get(sessionId, part) ?? undefined;

/** The slices before one, in order. */
export const readSlicesBefore = (db: Database, sessionId: number, part: number): Slice[] =>
  db
    .query<Slice, [number, number]>(
      `select session_id as sessionId, part, text, first_at as firstAt, pid, emitted_at as emittedAt
       from injections where session_id = ? and part < ? order by part`,
    )
    .all(sessionId, part);

/** Takes the slice for this process; `false` when another one has it: each is emitted once. */
export const takeSlice = (db: Database, sessionId: number, part: number, pid: number): boolean =>
  db.query("update injections set pid = ? where session_id = ? and part = ? and pid is null").run(pid, sessionId, part)
    .changes === 1;

/** Notes that the slice is being handed to the client. */
export function markEmitted(db: Database, sessionId: number, part: number, at: number): void {
  db.query("update injections set emitted_at = ? where session_id = ? and part = ?").run(at, sessionId, part);
}

/** What each restore of a project put in, and the size of the context in whose place it was put, where that is known. */
export const readTold = (db: Database, projectId: number): { text: string; replacedTokens: number }[] =>
  db
    .query<{ text: string; replacedTokens: number }, [number]>(
      `select group_concat(text, char(10)) as text, replaced_tokens as replacedTokens
       from restores join sessions on sessions.id = restores.session_id join injections using (session_id)
       where project_id = ? and replaced_tokens is not null and emitted_at is not null group by session_id`,
    )
    .all(projectId);
