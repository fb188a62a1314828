import type { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import type { Env } from "../env.ts";
import { masksOf } from "../mask/masks.ts";
import { maskTurn } from "../mask/turns.ts";
import { dataFolder } from "../paths.ts";
import { type Earlier, type EarlierSession, readEarlier } from "../store/earlier.ts";
import {
  isJoinedTurn,
  joinEarlierTurn,
  listsTurnLike,
  placeByTime,
  readComparable,
  saveEarlierTurn,
} from "../store/earlier-turns.ts";
import { settleImported } from "../store/imported.ts";
import { projectsOf, remeasureThreads } from "../store/inferred.ts";
import { linkSession } from "../store/lineage.ts";
import { projectPathOf } from "../store/projects.ts";
import { findSession, saveSession, touchSession } from "../store/sessions.ts";
import { matchEarlier } from "./earlier-match.ts";
import { type EarlierTurn, earlierPrefix, toTurns } from "./earlier-turns.ts";
import { count, ImportError } from "./plan.ts";
import { projectOf, type SettingsOf, saveProjectAt } from "./project.ts";
import type { Read } from "./transcripts.ts";
import { breathe, type Work } from "./work.ts";

/**
 * Takes over what the earlier program stored. Turns that a transcript has too are not doubled, whichever is read first.
 * @throws ImportError when the file is no database of it that is understood
 * @throws StoppedError when the person wants the import to end
 */
export async function importEarlier(
  db: Database,
  env: Env,
  settings: SettingsOf,
  path: string,
  read: Read,
  work: Work,
): Promise<void> {
  const earlier = open(env, path);
  const { turns, leftOut } = toTurns(earlier);
  for (const [what, times] of leftOut) count(read.leftOut, `rows of the earlier program: ${what}`, times);
  for (const [table, times] of Object.entries(earlier.others))
    count(read.leftOut, `rows of the earlier program: ${table}`, times);
  const bySession = Map.groupBy(turns, ({ session }) => session);
  const ids = new Map<string, number>();
  for (const [sessionId, ofSession] of bySession) {
    const row = rowOf(earlier, sessionId, ofSession);
    const known = findSession(db, sessionId);
    const project = known ? projectPathOf(db, known.projectId) : projectOf(row?.project ?? env.cwd);
    if (settings(project).capture === "off") {
      count(read.leftOut, "sessions of a project that is switched off");
      continue;
    }
    const masks = masksOf(settings(project));
    const masked = ofSession.map((turn) => maskTurn(turn, masks));
    ids.set(sessionId, saveSessionOf(db, env, project, row?.id === sessionId ? row : undefined, masked));
    await breathe(work);
  }
  for (const id of ids.values()) read.sessions.add(id);
  linkChains(db, env, earlier);
}

function open(env: Env, path: string): Earlier {
  mkdirSync(dataFolder(env), { recursive: true, mode: 0o700 });
  try {
    return readEarlier(path, dataFolder(env));
  } catch (error) {
    throw new ImportError((error as Error).message);
  }
}

// One that is not in its list is of the project of the session that its rows were handed on to.
function rowOf({ sessions }: Earlier, sessionId: string, turns: readonly EarlierTurn[]): EarlierSession | undefined {
  const find = (named: string | undefined) => sessions.find(({ id }) => id === named);
  return find(sessionId) ?? find(turns[0]?.owner);
}

function saveSessionOf(
  db: Database,
  env: Env,
  project: string,
  row: EarlierSession | undefined,
  turns: readonly EarlierTurn[],
): number {
  const startedAt = row?.createdAt ?? turns[0]?.startedAt ?? env.now();
  const sessionId = turns[0]?.session as string;
  return db
    .transaction(() => {
      const projectId = findSession(db, sessionId)?.projectId ?? saveProjectAt(db, env, project);
      const session = saveSession(db, { sessionId, projectId, headless: false, at: startedAt });
      const options = { now: startedAt, zoneOffset: env.zoneOffset };
      for (const turn of turns) if (!isJoinedTurn(db, turn.uuid)) saveEarlierTurn(db, session.id, turn, options);
      joinTold(db, session.id);
      touchSession(db, session.id);
      settleImported(db, session.id);
      return session.id;
    })
    .immediate();
}

const isEarlier = (uuid: string): boolean => uuid.startsWith(earlierPrefix);

/**
 * Joins a session's turns of the earlier program with those that its transcript has, and puts the rest in their places.
 * Belongs into a transaction.
 */
export function joinTold(db: Database, sessionId: number): void {
  if (!listsTurnLike(db, sessionId, `${earlierPrefix}*`)) return;
  const turns = readComparable(db, sessionId);
  const earlier = turns.filter(({ uuid }) => isEarlier(uuid));
  const told = turns.filter(({ uuid }) => !isEarlier(uuid));
  for (const [turn, match] of matchEarlier(earlier, told)) joinEarlierTurn(db, turn, match);
  placeByTime(db, sessionId, isEarlier);
}

// The earlier program handed a session's rows on to its successor and noted it. What it chose was the newest: a guess.
// Several that went into one continue each other; those it has nothing of are passed over.
function linkChains(db: Database, env: Env, { sessions }: Earlier): void {
  db.transaction(() => {
    const stored = new Map(
      sessions.flatMap(({ id }) => {
        const session = findSession(db, id);
        return session ? [[id, session.id] as const] : [];
      }),
    );
    const into = Map.groupBy(
      sessions.filter(({ id }) => stored.has(id)),
      ({ mergedInto }) => heir(sessions, mergedInto, stored),
    );
    for (const { id } of sessions) {
      const chain = stored.has(id) ? [...(into.get(id) ?? []).map((session) => session.id), id] : [];
      for (const [n, after] of chain.entries()) {
        const [session, before] = [findSession(db, after), findSession(db, chain[n - 1] ?? "")];
        const isFree = session?.linkReason === null || session?.linkReason === "inferred";
        if (session && before && isFree) linkSession(db, session, { session: before, reason: "heuristic" }, env.now());
      }
    }
    for (const projectId of projectsOf(db, [...stored.values()])) remeasureThreads(db, projectId);
  }).immediate();
}

function heir(sessions: Earlier["sessions"], id: string | null, stored: ReadonlyMap<string, number>): string | null {
  const seen = new Set<string>();
  let at = id;
  while (at !== null && !stored.has(at) && !seen.has(at)) {
    seen.add(at);
    at = sessions.find((session) => session.id === at)?.mergedInto ?? null;
  }
  return at;
}
