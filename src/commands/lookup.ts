import type { Database } from "bun:sqlite";
import { dateOf, labelTurns } from "../context/clock.ts";
import { type FoundTurn, findNearestTurns, findTurns, threadSessions } from "../store/find.ts";
import type { Scope } from "./scope.ts";
import type { When } from "./when.ts";

/** A turn under the name that `detail` takes. */
export interface NamedTurn extends FoundTurn {
  /** `2026-11-30 14:23:05`, with `#2` for the second turn of one second. */
  name: string;
  /** Whether the asking session's thread has it; the name of another one needs `--session`. */
  inThread: boolean;
}

/** The turns that are shown, oldest first; those that match as well, newest first; and, where nothing matches, the nearest. */
export interface Lookup {
  shown: NamedTurn[];
  also: NamedTurn[];
  nearest: NamedTurn[];
}

const mostTurns = 400;

/** Finds turns by time: of several matches the newest of the asking session's thread come first. */
export function lookUp(db: Database, scope: Scope | undefined, when: When): Lookup {
  if (!scope) return { shown: [], also: [], nearest: [] };
  const day = when.date === undefined ? undefined : Math.floor(Date.parse(when.date) / 86_400_000);
  const name = namer(scope.session ? threadSessions(db, scope.session.id) : new Set());
  const matches = name(findTurns(db, scope.projectId, day, when.from, when.to, mostTurns));
  const ours = matches.filter((turn) => turn.inThread);
  const shown = choose(ours.length > 0 ? ours : matches, when);
  if (shown.length === 0)
    return { shown, also: [], nearest: name(findNearestTurns(db, scope.projectId, nearTo(db, scope, when, day))) };
  return { shown, also: matches.filter((turn) => !shown.includes(turn)).reverse(), nearest: [] };
}

// A second is the name of one turn, its first unless `#n` says otherwise; a minute's newest turn is shown, a range's all,
// at their newest occurrence where no date was given.
function choose(turns: readonly NamedTurn[], when: When): NamedTurn[] {
  const newest = turns.at(-1);
  if (!newest) return [];
  const latest = turns.filter(
    (turn) => when.date !== undefined || newest.startedAt - turn.startedAt < (when.to - when.from + 1) * 1_000,
  );
  if (!when.single || when.to - when.from >= 60) return latest;
  const nth = when.nth ?? (when.to === when.from ? 1 : undefined);
  return (nth === undefined ? latest : latest.filter((turn) => Number(turn.name.split("#")[1] ?? 1) === nth)).slice(-1);
}

// Names count within the thread, as in what its session was told; other turns count within their own session.
function namer(thread: ReadonlySet<number>): (found: readonly FoundTurn[]) => NamedTurn[] {
  return (found) => {
    const groups = new Map<number, FoundTurn[]>();
    for (const turn of listedOnce(found, thread)) {
      const key = thread.has(turn.sessionId) ? 0 : turn.sessionId;
      groups.set(key, [...(groups.get(key) ?? []), turn]);
    }
    const named = [...groups].flatMap(([key, turns]) => {
      const times = labelTurns(turns);
      return turns.map((turn, n) => ({ ...turn, inThread: key === 0, name: `${dateOf(turn)} ${times[n]}` }));
    });
    return named.sort(byTime);
  };
}

const byTime = (a: FoundTurn, b: FoundTurn): number => a.startedAt - b.startedAt || a.id - b.id;

// A copied history lists a turn twice: it counts for the thread when any of the listings does.
function listedOnce(found: readonly FoundTurn[], thread: ReadonlySet<number>): FoundTurn[] {
  const turns = new Map<number, FoundTurn>();
  for (const turn of found) if (!turns.has(turn.id) || thread.has(turn.sessionId)) turns.set(turn.id, turn);
  return [...turns.values()].sort(byTime);
}

// Without a date: that time on the day of the project's last turn.
function nearTo(db: Database, scope: Scope, when: When, day: number | undefined): number {
  const last = findNearestTurns(db, scope.projectId, Number.MAX_SAFE_INTEGER).at(-1);
  const zone = (last?.zoneOffset ?? 0) * 60_000;
  const days = day ?? Math.floor(((last?.startedAt ?? 0) + zone) / 86_400_000);
  return days * 86_400_000 + when.from * 1_000 - zone;
}
