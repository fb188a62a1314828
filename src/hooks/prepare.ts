import type { Database } from "bun:sqlite";
import { type Config, plainLanguage } from "../config.ts";
import { withCommas } from "../context/numbers.ts";
import { strings } from "../context/strings.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { Env } from "../env.ts";
import { findPredecessor, refusedFolder, type Telling, tellThread } from "../restore.ts";
import { takeFresh } from "../store/fresh.ts";
import { linkSession, type Predecessor, walkThread } from "../store/lineage.ts";
import { finishRestore } from "../store/restores.ts";
import {
  findNewestSession,
  getSession,
  hasLiveTurn,
  isFirstSession,
  type Session,
  serveSession,
} from "../store/sessions.ts";
import { catchUp, readUnheard } from "./catch-up.ts";
import { joinFork } from "./fork.ts";
import { purgedBefore } from "./purged.ts";
import { clientOf } from "./session.ts";

/** A catch-up that takes longer goes on at the next event. */
const catchUpTime = 1_000;
const day = 86_400_000;

/** What a start comes to: slices or the reason why there are none. */
interface Outcome {
  outcome: string;
  notice: string | null;
  telling?: Telling;
}

/**
 * Prepares what a starting session is told: finds its predecessor, reads what that one's transcript still holds, links
 * the two, renders, and stores the slices. Called by the one process that claimed the restore.
 */
export function prepareRestore(
  db: Database,
  env: Env,
  session: Session,
  source: string | undefined,
  config: Config,
): void {
  const started = env.now();
  const client = clientOf(env);
  const reason = whyNothing(db, env, session, config);
  if (!reason) readUnheard(db, env, session, client);
  const predecessor = reason ? undefined : findPredecessor(db, env, session.projectId, session.id, client, config);
  let purged: number | undefined;
  if (predecessor) {
    if (!catchUp(db, env, predecessor.session, catchUpTime).found) purged = purgedBefore(db, env, predecessor.session);
    // What was not heard of in this project was read just now.
    joinFork(db, env, predecessor.session, predecessor.session.projectId !== session.projectId);
    predecessor.session = getSession(db, predecessor.session.id);
  }
  db.transaction(() => {
    if (client) serveSession(db, client, session.id, started);
    const { outcome, notice, telling } = reason
      ? { outcome: reason, notice: null, telling: undefined }
      : predecessor && purged !== undefined
        ? {
            outcome: "its transcript was deleted",
            notice: purgedNotice(predecessor, config, purged),
            telling: undefined,
          }
        : linkAndTell(db, session, predecessor, source, config, started);
    const characters = telling?.parts.reduce((sum, part) => sum + part.text.length, 0) ?? 0;
    finishRestore(
      db,
      {
        sessionId: session.id,
        finishedAt: env.now(),
        outcome,
        notice,
        fullTurns: telling?.fullTurns ?? 0,
        lineTurns: telling?.lineTurns ?? 0,
        characters,
        replacedTokens: telling?.replacedTokens ?? null,
      },
      telling?.parts ?? [],
    );
  }).immediate();
}

function whyNothing(db: Database, env: Env, session: Session, config: Config): string | undefined {
  if (config.inherit === "off" || config.restore_parts === 0) return "switched off";
  const refused = refusedFolder(db, env, session.projectId);
  if (refused) return refused;
  catchUp(db, env, session, catchUpTime);
  return hasLiveTurn(db, session.id) ? "its file already holds a conversation" : undefined;
}

function linkAndTell(
  db: Database,
  session: Session,
  predecessor: Predecessor | undefined,
  source: string | undefined,
  config: Config,
  now: number,
): Outcome {
  const say = strings[plainLanguage(config)];
  if (takeFresh(db, session.projectId, predecessor?.session.id)) {
    return { outcome: "clean start, as asked", notice: say.askedFresh };
  }
  if (!predecessor) return nothingToRestore(db, session, config);
  if (source === "clear" && predecessor.reason === "exact" && !hasLiveTurn(db, predecessor.session.id)) {
    return { outcome: "clean start", notice: say.cleanStart };
  }
  const measure = linkSession(db, session, predecessor, now);
  const all = { now, until: session.startedAt, parts: config.restore_parts, language: config.language, measure };
  const newest = walkThread(db, predecessor.session, session.startedAt).next().value;
  if (!newest) return nothingToRestore(db, session, config);
  // A real new start long after: where things stood, and how to get the rest.
  const isOldNews = source === "startup" && predecessor.reason !== "exact" && now - newest.startedAt > day;
  const telling = tellThread(db, predecessor.session, predecessor.reason, isOldNews ? { ...all, parts: 1 } : all);
  if (!telling) return nothingToRestore(db, session, config);
  return { outcome: "restored", notice: restoredNotice(telling, predecessor), telling };
}

// The person deleted what was said, as far as the client knows it: it is not for us to bring it up again.
const purgedNotice = ({ session: { sessionId } }: Predecessor, config: Config, days: number): string =>
  strings[plainLanguage(config)].purged(sessionId.slice(0, 8), days);

function nothingToRestore(db: Database, session: Session, config: Config): Outcome {
  const say = strings[plainLanguage(config)];
  if (isFirstSession(db, session)) return { outcome: "first session of the project", notice: say.firstTime };
  const notice = findNewestSession(db, session.projectId) ? say.nothingFound : null;
  return { outcome: "no session to continue", notice };
}

function restoredNotice(telling: Telling, { reason }: Predecessor): string {
  const tokens = telling.parts.reduce((sum, part) => sum + estimateTokens(part.text), 0);
  const rounded = withCommas(Math.max(100, Math.round(tokens / 100) * 100));
  const instead = telling.replacedTokens === null ? undefined : withCommas(telling.replacedTokens);
  const say = strings[telling.language];
  const restored = say.restored(telling.fullTurns, telling.lineTurns, rounded, instead);
  return reason === "heuristic" ? `${restored} ${say.guessedNotice}` : restored;
}
