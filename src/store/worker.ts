import type { Database } from "bun:sqlite";

/** Why nobody tries for a while: what is missing, refused, used up or out of reach. */
export type PauseReason = "no-client" | "no-login" | "foreign-url" | "auth" | "limit" | "unreachable" | "cap";

/** The pause that is on, or the last one. Times are UTC milliseconds. */
export interface Pause {
  until: number;
  reason: PauseReason;
  detail: string | null;
  toldAt: number | null;
}

const isFree = "(holder is null or deadline <= $now)";

/** Whether a worker should be started: a thread wants lines, nobody is at work, and there is no pause. One read. */
export const isWorkWaiting = (db: Database, now: number, runs: (pid: number) => boolean): boolean => {
  const row = db
    .query<{ holder: string | null; pid: number | null; deadline: number }, { now: number }>(
      `select holder, pid, deadline from worker where paused_until <= $now and exists (select 1 from due)`,
    )
    .get({ now });
  if (!row) return false;
  return row.holder === null || row.deadline <= now || (row.pid !== null && !runs(row.pid));
};

/**
 * Takes the worker's lock: of several at once one succeeds. A lock is stale after its deadline, or when its process is gone.
 * @param pid the process that holds it from now on; `null` where that is still to be started
 */
export function claimWorker(
  db: Database,
  holder: string,
  pid: number | null,
  now: number,
  deadline: number,
  runs: (pid: number) => boolean,
): boolean {
  return db
    .transaction(() => {
      const held = db
        .query<{ pid: number | null }, { now: number }>(`select pid from worker where not ${isFree}`)
        .get({ now });
      if (held && (held.pid === null || runs(held.pid))) return false;
      setHolder(db, holder, pid, deadline);
      return true;
    })
    .immediate();
}

/** Keeps the lock until a later deadline; `false` when somebody else has it by now. */
export const renewWorker = (db: Database, holder: string, pid: number, deadline: number): boolean =>
  db.query("update worker set pid = $pid, deadline = $deadline where holder = $holder").run({ holder, pid, deadline })
    .changes === 1;

/** Gives the lock back. With `onlyIfIdle`, `false` and nothing done where a thread was marked in the meantime. */
export function releaseWorker(db: Database, holder: string, onlyIfIdle = false): boolean {
  const idle = onlyIfIdle ? "and not exists (select 1 from due)" : "";
  return (
    db.query(`update worker set holder = null, pid = null, deadline = 0 where holder = ? ${idle}`).run(holder)
      .changes === 1
  );
}

function setHolder(db: Database, holder: string, pid: number | null, deadline: number): void {
  db.query("update worker set holder = $holder, pid = $pid, deadline = $deadline").run({ holder, pid, deadline });
}

/** Notes that nobody needs to try until a time; the person is told of a reason when it is another one than the last. */
export function pauseWorker(db: Database, pause: Omit<Pause, "toldAt">): void {
  db.query(
    `update worker set paused_until = $until, pause_detail = $detail, pause_reason = $reason,
       pause_told_at = iif(pause_reason is $reason, pause_told_at, null)`,
  ).run({ ...pause });
}

/** Notes that a run went well: whatever was in the way is no more. */
export function endPause(db: Database): void {
  db.query(
    `update worker set paused_until = 0, pause_reason = null, pause_detail = null, pause_told_at = null
     where pause_reason is not null`,
  ).run();
}

export const readPause = (db: Database): Pause | undefined =>
  db
    .query<Pause, []>(
      `select paused_until as until, pause_reason as reason, pause_detail as detail, pause_told_at as toldAt
       from worker where pause_reason is not null`,
    )
    .get() ?? undefined;

/** Notes that the person was told of the pause. */
export function markPauseTold(db: Database, at: number): void {
  db.query("update worker set pause_told_at = ?").run(at);
}
