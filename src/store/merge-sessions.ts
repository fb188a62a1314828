import type { Database } from "bun:sqlite";
import { type LinkReason, linkReasons } from "../types.ts";
import type { ExportedSession } from "./export.ts";
import { findForkParent, linkSession } from "./lineage.ts";
import { mergeOrder } from "./merge-order.ts";
import { saveProject } from "./projects.ts";
import { findSession, type Session } from "./sessions.ts";

/** What another machine says about a session. */
export type OtherSession = Omit<ExportedSession, "type">;

/** Stores what another machine says about a session; what both know becomes the same on both. Returns the row id. */
export function mergeSession(db: Database, other: OtherSession): number {
  const own = findSession(db, other.id);
  const projectId = own?.projectId ?? saveProject(db, other.project, () => undefined, other.started_at);
  db.query("update projects set git_common_dir = coalesce(git_common_dir, ?) where path = ?").run(
    other.git_common_dir,
    other.project,
  );
  const end = own ? laterEnd(own, other) : other;
  db.query(
    `insert into sessions (uuid, project_id, transcript_path, entrypoint, headless, source, started_at, active_at, ended_at, end_reason)
     values ($uuid, $projectId, $transcript, $entrypoint, $headless, $source, $startedAt, $activeAt, $endedAt, $endReason)
     on conflict (uuid) do update set transcript_path = coalesce(transcript_path, $transcript),
       entrypoint = coalesce(entrypoint, $entrypoint), headless = min(headless, $headless),
       source = coalesce(source, $source), started_at = min(started_at, $startedAt),
       active_at = max(active_at, $activeAt), ended_at = $endedAt, end_reason = $endReason`,
  ).run({
    uuid: other.id,
    projectId,
    transcript: other.transcript,
    entrypoint: other.entrypoint,
    headless: other.headless ? 1 : 0,
    source: other.source,
    startedAt: other.started_at,
    activeAt: other.active_at,
    endedAt: end.ended_at,
    endReason: end.end_reason,
  });
  return (findSession(db, other.id) as Session).id;
}

type End = Pick<OtherSession, "active_at" | "ended_at" | "end_reason">;

// Who saw it last knows whether it is over; a live one may have been resumed since the other saw it end.
function laterEnd(own: Session, other: End): End {
  const mine: End = { active_at: own.activeAt, ended_at: own.endedAt, end_reason: own.endReason };
  const order =
    mine.active_at - other.active_at ||
    (mine.ended_at ?? 0) - (other.ended_at ?? 0) ||
    ((mine.end_reason ?? "") < (other.end_reason ?? "") ? -1 : 1);
  return order >= 0 ? mine : other;
}

/** A turn's place in a session as another machine lists it. */
export interface Listed {
  turnId: number;
  parentUuid: string | null;
  leftAt: number | null;
  startedAt: number;
  /** The turn's uuid. */
  uuid: string;
}

/** Lists a turn at the end of a session's, unless it is listed; where it belongs says `mergeListing`. */
export function appendListed(db: Database, sessionId: number, listed: Listed): void {
  db.query(
    `insert or ignore into session_turns (session_id, position, turn_id, parent_uuid, left_at)
     values ($sessionId, (select coalesce(max(position), 0) + 1 from session_turns where session_id = $sessionId),
       $turnId, $parentUuid, $leftAt)`,
  ).run({ sessionId, turnId: listed.turnId, parentUuid: listed.parentUuid, leftAt: listed.leftAt });
}

/** A session's turns in order. */
export const readListing = (db: Database, sessionId: number): Listed[] =>
  db
    .query<Listed, [number]>(
      `select turn_id as turnId, parent_uuid as parentUuid, left_at as leftAt, started_at as startedAt, uuid
       from session_turns join turns on turns.id = turn_id where session_id = ? order by position`,
    )
    .all(sessionId);

/**
 * Puts a session's turns into the order that both machines come to, given what each had before.
 * @param later which machine saw the session last: it knows what was left. Where neither did, what either left is left.
 */
export function mergeListing(
  db: Database,
  sessionId: number,
  own: readonly Listed[],
  other: readonly Listed[],
  later: "own" | "other" | "neither",
): void {
  const [mine, theirs] = [own, other].map(
    (turns) => new Map(turns.map(({ turnId, leftAt }): [number, number | null] => [turnId, leftAt])),
  ) as [Map<number, number | null>, Map<number, number | null>];
  const leftOf = (turnId: number): number | null => {
    const [ownLeft, otherLeft] = [mine.get(turnId), theirs.get(turnId)];
    if (ownLeft === undefined || otherLeft === undefined) return ownLeft ?? otherLeft ?? null;
    if (later !== "neither") return later === "own" ? ownLeft : otherLeft;
    return ownLeft === null || otherLeft === null ? (ownLeft ?? otherLeft) : Math.max(ownLeft, otherLeft);
  };
  const merged = mergeOrder(
    own,
    other,
    ({ uuid }) => uuid,
    ({ startedAt }) => startedAt,
  );
  orderListing(
    db,
    sessionId,
    merged.map(({ turnId }) => turnId),
  );
  for (const { turnId } of merged) {
    db.query("update session_turns set left_at = $leftAt where session_id = $sessionId and turn_id = $turnId").run({
      sessionId,
      turnId,
      leftAt: leftOf(turnId),
    });
  }
}

/** Gives a session's turns their places, from 1 on. */
export function orderListing(db: Database, sessionId: number, turnIds: readonly number[]): void {
  const now = readListing(db, sessionId).map(({ turnId }) => turnId);
  if (now.length === turnIds.length && now.every((id, n) => id === turnIds[n])) return;
  // Out of the way first: a place is taken once.
  db.query("update session_turns set position = -position where session_id = ? and position > 0").run(sessionId);
  turnIds.forEach((turnId, n) => {
    db.query("update session_turns set position = ? where session_id = ? and turn_id = ?").run(
      n + 1,
      sessionId,
      turnId,
    );
  });
}

/** A session's link as another machine knows it. */
export interface OtherLink {
  session: string;
  predecessor: string | null;
  reason: LinkReason;
  linkedAt: number;
}

/**
 * Takes over a link of another machine's where it is known by more, or, for the same reason, was made later.
 * @returns false where the predecessor is not stored
 */
export function mergeLink(db: Database, other: OtherLink): boolean {
  const session = findSession(db, other.session) as Session;
  const predecessor = other.predecessor === null ? undefined : findSession(db, other.predecessor);
  if (other.predecessor !== null && !predecessor) return false;
  const own = readLink(db, session.id);
  if (own && compareLinks(own, other) >= 0) return true;
  if (predecessor) {
    const until = other.reason === "uuids" ? findForkParent(db, session)?.inheritedUntil : undefined;
    linkSession(db, session, { session: predecessor, reason: other.reason }, other.linkedAt, until);
  } else {
    db.query(
      `update sessions set predecessor_id = null, link_reason = ?, linked_at = ?, inherited_until = null,
         inherited_turns = 0, inherited_since = null where id = ?`,
    ).run(other.reason, other.linkedAt, session.id);
  }
  return true;
}

const readLink = (db: Database, id: number): OtherLink | undefined =>
  db
    .query<OtherLink, [number]>(
      `select sessions.uuid as session, before.uuid as predecessor, sessions.link_reason as reason, sessions.linked_at as linkedAt
       from sessions left join sessions before on before.id = sessions.predecessor_id
       where sessions.id = ? and sessions.link_reason is not null`,
    )
    .get(id) ?? undefined;

const compareLinks = (own: OtherLink, other: OtherLink): number =>
  linkReasons.indexOf(own.reason) - linkReasons.indexOf(other.reason) ||
  own.linkedAt - other.linkedAt ||
  ((own.predecessor ?? "") < (other.predecessor ?? "") ? -1 : own.predecessor === other.predecessor ? 0 : 1);
