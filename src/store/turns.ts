import type { Database } from "bun:sqlite";
import type { Change, TurnChange, TurnHead } from "../types.ts";
import { moveDetails, removeDetails, saveDetails } from "./details.ts";
import { isForgotten } from "./forgotten.ts";
import { listTurn } from "./listing.ts";
import { saveMessage } from "./rows.ts";
import { importedModel } from "./summaries.ts";
import { adoptTwin, findTurnId } from "./twins.ts";

export interface SaveOptions {
  /** UTC milliseconds: the time of a turn whose prompt carries none. */
  now: number;
  /** Minutes east of UTC that hold whatever the machine's zone is; absent: the machine's zone. */
  zoneOffset?: number | undefined;
}

/**
 * Stores what a stretch of a session's transcript says. Belongs into a transaction together with the checkpoint.
 * Idempotent: everything has a natural key, so saying it twice changes nothing.
 */
export function saveChanges(db: Database, sessionId: number, changes: readonly Change[], options: SaveOptions): void {
  for (const change of changes) {
    if (change.type === "drop") dropTurn(db, sessionId, change.uuid);
    else if (change.type === "merge") mergeTurn(db, sessionId, change.uuid, change.into);
    else saveTurn(db, sessionId, change.turn, options);
  }
}

function saveTurn(db: Database, sessionId: number, change: TurnChange, options: SaveOptions): void {
  const { head } = change;
  const known = findTurnId(db, change.uuid) ?? (head && adoptTwin(db, head));
  if (known === undefined && head && isForgotten(db, head, sessionId)) return;
  const id = known ?? (head && insertTurn(db, head, change.state, options));
  if (id === undefined) return;
  if (head) listTurn(db, sessionId, id, head, options.now);
  let changed = 0;
  for (const message of change.messages) changed += saveMessage(db, id, message, options.now);
  for (const sourceId of change.withdrawn) {
    changed += db.query("delete from messages where turn_id = ? and source_id = ?").run(id, sourceId).changes;
  }
  if (change.withdrawnDetails) removeDetails(db, id, change.withdrawnDetails);
  saveDetails(db, id, change.details, options.now, known === undefined);
  db.query(
    `update turns set state = coalesce($state, state), model = coalesce($model, model),
       context_tokens = coalesce($contextTokens, context_tokens) where id = $id`,
  ).run({ id, state: change.state ?? null, model: change.model ?? null, contextTokens: change.contextTokens ?? null });
  // An imported line stands: its turn is over, and what is read of it later says the same once more.
  if (changed > 0) db.query("delete from summaries where turn_id = ? and model is not ?").run(id, importedModel);
}

// The machine's zone by SQLite: JavaScript's getTimezoneOffset costs 9 ms the first time in a process.
const localOffset = "(strftime('%s', $startedAt / 1000, 'unixepoch', 'localtime') - $startedAt / 1000) / 60";

function insertTurn(db: Database, head: TurnHead, state: TurnChange["state"], options: SaveOptions): number {
  const { lastInsertRowid } = db
    .query(
      `insert into turns (uuid, copied, started_at, zone_offset, state, cwd)
       values ($uuid, $copied, $startedAt, coalesce($zoneOffset, ${localOffset}), $state, $cwd)`,
    )
    .run({
      uuid: head.uuid,
      copied: head.copied ? 1 : 0,
      startedAt: head.startedAt || options.now,
      zoneOffset: options.zoneOffset ?? null,
      state: state ?? "open",
      cwd: head.cwd ?? null,
    });
  return Number(lastInsertRowid);
}

function mergeTurn(db: Database, sessionId: number, uuid: string, into: string): void {
  const ids = { from: findTurnId(db, uuid) ?? null, into: findTurnId(db, into) ?? null };
  db.query("update or ignore messages set turn_id = $into where turn_id = $from").run(ids);
  if (ids.from !== null && ids.into !== null) moveDetails(db, ids.from, ids.into);
  db.query(
    `update turns set (state, model, context_tokens) = (
       select lone.state, coalesce(turns.model, lone.model), coalesce(turns.context_tokens, lone.context_tokens)
       from turns lone where lone.id = $from)
     where id = $into and $from in (select id from turns)`,
  ).run(ids);
  dropTurn(db, sessionId, uuid);
}

// Only where nobody else lists it: a copied history keeps what it copied.
function dropTurn(db: Database, sessionId: number, uuid: string): void {
  const id = findTurnId(db, uuid);
  if (id === undefined) return;
  db.query("delete from session_turns where session_id = ? and turn_id = ?").run(sessionId, id);
  db.query("delete from turns where id = ? and not exists (select 1 from session_turns where turn_id = turns.id)").run(
    id,
  );
}
