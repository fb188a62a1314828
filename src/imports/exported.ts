import type { Database } from "bun:sqlite";
import type { Env } from "../env.ts";
import { type Masks, masksOf } from "../mask/masks.ts";
import { maskTurn } from "../mask/turns.ts";
import { isForgotten } from "../store/forgotten.ts";
import { projectsOf, remeasureThreads } from "../store/inferred.ts";
import {
  appendListed,
  type Listed,
  mergeLink,
  mergeListing,
  mergeSession,
  type OtherLink,
  readListing,
} from "../store/merge-sessions.ts";
import { mergeTurn } from "../store/merge-turns.ts";
import { findSession } from "../store/sessions.ts";
import { findTurnId } from "../store/twins.ts";
import { markTextsChanged } from "../store/unindexed.ts";
import { parseExportLine, type SessionLine, type TurnLine } from "./export-lines.ts";
import { readLines } from "./lines.ts";
import { count, ImportError } from "./plan.ts";
import type { SettingsOf } from "./project.ts";
import type { Read } from "./transcripts.ts";
import { breathe, type Work } from "./work.ts";

/** Named by their numbers; further ones are only counted. */
const mostNamed = 20;
const turnsBetweenBreaths = 50;

/** What is known of the session whose turns come next. */
interface Current {
  id: number;
  sessionId: string;
  own: Listed[];
  other: Listed[];
  later: "own" | "other" | "neither";
  /** Its turns are not to be stored. */
  isUnwanted: boolean;
  masks: Masks;
}

/**
 * Stores what an export holds. Lines that cannot be read are counted and named, never fatal.
 * @param name what to call it
 * @throws ImportError when it is no export, or one of a newer format
 * @throws StoppedError when the person wants the import to end
 */
export async function importExport(
  db: Database,
  env: Env,
  settings: SettingsOf,
  stream: ReadableStream<Uint8Array>,
  name: string,
  read: Read,
  work: Work,
): Promise<{ badLines: string[] }> {
  const badLines: string[] = [];
  const links: OtherLink[] = [];
  let current: Current | undefined;
  let [begun, isOff] = [false, false];
  let turns = 0;
  const bad = (number: number, why: string) => {
    count(read.skipped, "bad lines of an export");
    if (badLines.length < mostNamed) badLines.push(`${name}, line ${number}: ${why}`);
  };
  for await (const { text, number, bytes } of readLines(stream)) {
    work.tick(bytes);
    if (text.trim() === "") continue;
    const { line, bad: why, newer } = parseExportLine(text);
    if (newer !== undefined) {
      throw new ImportError(
        `${name} is an export of format version ${newer}; this Throughline reads version 1: update it, then import again`,
      );
    }
    if (!begun && line?.type !== "export")
      throw new ImportError(`${name} is no export: its first line says no version`);
    begun = true;
    if (why !== undefined) bad(number, why);
    if (line?.type === "session") {
      finish(db, current);
      isOff = settings(line.project).capture === "off";
      if (isOff) {
        count(read.leftOut, "sessions of a project that is switched off");
        continue;
      }
      current = begin(db, settings, line);
      read.sessions.add(current.id);
      const { link_reason: reason, predecessor, linked_at: linkedAt } = line;
      if (reason !== null) links.push({ session: line.id, predecessor, reason, linkedAt: linkedAt ?? line.started_at });
    } else if (line?.type === "turn") {
      if (isOff) continue;
      if (current?.sessionId !== line.session) bad(number, `it is no turn of the session before it: ${line.session}`);
      else if (!current.isUnwanted) addTurn(db, env, current, line);
      turns += 1;
      if (turns % turnsBetweenBreaths === 0) await breathe(work);
    }
  }
  finish(db, current);
  finishLinks(db, links, read);
  return { badLines };
}

function begin(db: Database, settings: SettingsOf, line: SessionLine): Current {
  const known = findSession(db, line.id);
  const ahead = known === undefined ? 1 : line.active_at - known.activeAt;
  const later = ahead > 0 ? "other" : ahead < 0 ? "own" : "neither";
  const id = db.transaction(() => mergeSession(db, line)).immediate();
  const isUnwanted = line.headless && settings(line.project).headless === "off";
  const masks = masksOf(settings(line.project));
  return { id, sessionId: line.id, own: readListing(db, id), other: [], later, isUnwanted, masks };
}

function addTurn(db: Database, env: Env, current: Current, line: TurnLine): void {
  db.transaction(() => {
    const prompt = line.messages.find(({ uuid }) => uuid === line.uuid)?.text ?? "";
    if (
      findTurnId(db, line.uuid) === undefined &&
      isForgotten(db, { uuid: line.uuid, startedAt: line.started_at, prompt })
    )
      return;
    const { interrupted, ...rest } = maskTurn(line, current.masks);
    const stored = mergeTurn(db, interrupted ? { ...rest, interrupted } : rest, env.now());
    const { parent_uuid: parentUuid, left_at: leftAt, started_at: startedAt } = line;
    const listed = { ...stored, parentUuid, leftAt, startedAt };
    current.other.push(listed);
    appendListed(db, current.id, listed);
    markTextsChanged(db, current.id);
  }).immediate();
}

function finish(db: Database, current: Current | undefined): void {
  if (!current || current.other.length === 0) return;
  const { id, own, other, later } = current;
  db.transaction(() => mergeListing(db, id, own, other, later)).immediate();
}

function finishLinks(db: Database, links: readonly OtherLink[], read: Read): void {
  db.transaction(() => {
    for (const link of links) {
      if (!mergeLink(db, link)) count(read.leftOut, "link to a session that is not in the export");
    }
    for (const projectId of projectsOf(db, [...read.sessions])) remeasureThreads(db, projectId);
  }).immediate();
}
