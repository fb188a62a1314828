import type { Database } from "bun:sqlite";
import type { DetailKind, Message, Role, TurnState } from "../types.ts";
import { readDetails, replaceDetails, saveDetails } from "./details.ts";
import type { ExportedTurn } from "./export.ts";
import { fuller, mergeOrder } from "./merge-order.ts";
import { readMessages, readSummary } from "./messages.ts";
import { saveMessage } from "./rows.ts";
import { importedModel, textOfTurn } from "./summaries.ts";
import { adoptTwin, findTurnId } from "./twins.ts";

/** What another machine says about a turn. */
export type OtherTurn = Omit<ExportedTurn, "type" | "session" | "number" | "prompt" | "answer">;

/**
 * Stores what another machine says about a turn; what both know becomes the same on both: everything either has, and the
 * longer text where they differ. Idempotent. Belongs into a transaction with the turn's listing.
 * @returns its row id and the uuid it is stored under
 * @param now UTC milliseconds, for what carries no time
 */
export function mergeTurn(db: Database, other: OtherTurn, now: number): { turnId: number; uuid: string } {
  const turnId = storeTurn(db, other, now);
  return { turnId, uuid: uuidOf(db, turnId) };
}

function storeTurn(db: Database, other: OtherTurn, now: number): number {
  const known = findTurnId(db, other.uuid);
  const twin = known === undefined ? adoptOther(db, other) : uuidOf(db, known) === other.uuid ? undefined : known;
  if (twin !== undefined) {
    saveTwin(db, twin, other, now);
    return twin;
  }
  const id = known ?? insertTurn(db, other);
  const own = { messages: readMessages(db, id), details: toOther(readDetails(db, id)), summary: readSummary(db, id) };
  const messages = mergeMessages(db, id, own.messages, other, now);
  mergeDetails(db, id, own.details, other.details, now);
  if (known !== undefined) mergeHead(db, id, own.messages.length + own.details.length, other);
  // A line about less than there is now is outdated.
  const mine = own.messages.length === messages ? (own.summary ?? null) : null;
  const theirs = other.messages.length === messages ? other.summary : null;
  saveSummary(db, id, betterLine(mine, theirs, textOfTurn(db, id)), now);
  return id;
}

// A fork's copy: of which of the two sides is not exported, so both are tried.
function adoptOther(db: Database, other: OtherTurn): number | undefined {
  const prompt = other.messages.find(({ uuid }) => uuid === other.uuid)?.text;
  if (prompt === undefined) return undefined;
  const head = { uuid: other.uuid, parentUuid: other.parent_uuid, startedAt: other.started_at, prompt };
  return adoptTwin(db, head) ?? adoptTwin(db, { ...head, copied: true });
}

const uuidOf = (db: Database, id: number): string =>
  (db.query<{ uuid: string }, [number]>("select uuid from turns where id = ?").get(id) as { uuid: string }).uuid;

function saveTwin(db: Database, id: number, other: OtherTurn, now: number): void {
  const mark = uuidOf(db, id) === other.uuid ? {} : { copied: true as const };
  for (const message of other.messages) saveMessage(db, id, { ...toMessage(message), ...mark }, now);
  saveDetails(
    db,
    id,
    other.details.map((detail) => ({ ...toDetail(detail), ...mark })),
    now,
  );
}

function insertTurn(db: Database, other: OtherTurn): number {
  const { lastInsertRowid } = db
    .query(
      `insert into turns (uuid, started_at, zone_offset, state, cwd, model, context_tokens)
       values ($uuid, $startedAt, $zoneOffset, $state, $cwd, $model, $contextTokens)`,
    )
    .run({
      uuid: other.uuid,
      startedAt: other.started_at,
      zoneOffset: other.zone_offset,
      state: stateOf(other),
      cwd: other.cwd,
      model: other.usage?.model ?? null,
      contextTokens: other.usage?.context_tokens ?? null,
    });
  return Number(lastInsertRowid);
}

/** `left` is a session's view of a turn; the turn itself is open, or was interrupted before. */
const stateOf = ({ state, interrupted }: OtherTurn): TurnState =>
  state === "left" ? (interrupted ? "interrupted" : "open") : (state as TurnState);

// Who has more of it knows how it stands.
function mergeHead(db: Database, id: number, ownLength: number, other: OtherTurn): void {
  const more = other.messages.length + other.details.length - ownLength;
  db.query(
    `update turns set cwd = coalesce(cwd, $cwd),
       state = case when $more > 0 then $state when $more = 0 then min(state, $state) else state end,
       model = iif($more > 0, coalesce($model, model), coalesce(model, $model)),
       context_tokens = iif($more > 0, coalesce($tokens, context_tokens),
         iif($more = 0, max(coalesce(context_tokens, $tokens), coalesce($tokens, context_tokens)), coalesce(context_tokens, $tokens)))
     where id = $id`,
  ).run({
    id,
    more,
    cwd: other.cwd,
    state: stateOf(other),
    model: other.usage?.model ?? null,
    tokens: other.usage?.context_tokens ?? null,
  });
}

const toMessage = ({ uuid, role, at, text }: OtherTurn["messages"][number]): Message => ({
  sourceId: uuid,
  role: role as Role,
  at,
  text,
});

type OtherDetail = OtherTurn["details"][number];

const toDetail = ({ kind, source_id, tool, at, input, output }: OtherDetail) => ({
  sourceId: source_id,
  kind: kind as DetailKind,
  at,
  ...(tool === null ? {} : { tool }),
  ...(input === null ? {} : { input }),
  ...(output === null ? {} : { output }),
});

const toOther = (details: ReturnType<typeof readDetails>): OtherDetail[] =>
  details.map(({ kind, sourceId, tool, at, input, output }) => ({
    kind,
    source_id: sourceId,
    tool: tool ?? null,
    at,
    input: input ?? null,
    output: output ?? null,
  }));

/** Returns how many messages the turn has now. */
function mergeMessages(db: Database, id: number, own: readonly Message[], other: OtherTurn, now: number): number {
  const theirs = other.messages.map(toMessage);
  const texts = new Map(theirs.map(({ sourceId, text }) => [sourceId, text]));
  const merged = mergeOrder(
    own,
    theirs,
    ({ sourceId }) => sourceId,
    ({ at }) => at,
  ).map((message) => ({
    ...message,
    text: fuller(message.text, texts.get(message.sourceId) ?? null) as string,
  }));
  if (isSame(merged, own)) return own.length;
  const kept = own.every((message, n) => isSame(message, merged[n]));
  if (!kept) db.query("delete from messages where turn_id = ?").run(id);
  for (const message of kept ? merged.slice(own.length) : merged) saveMessage(db, id, message, now);
  return readMessages(db, id).length;
}

function mergeDetails(
  db: Database,
  id: number,
  own: readonly OtherDetail[],
  other: readonly OtherDetail[],
  now: number,
): void {
  const theirs = new Map(other.map((detail) => [detail.source_id, detail]));
  const merged = mergeOrder(
    own,
    other,
    ({ source_id }) => source_id,
    ({ at }) => at,
  ).map((detail) => {
    const { input = null, output = null } = theirs.get(detail.source_id) ?? {};
    return { ...detail, input: fuller(detail.input, input), output: fuller(detail.output, output) };
  });
  if (isSame(merged, own)) return;
  const kept = own.every((detail, n) => isSame(detail, merged[n]));
  const details = merged.map((detail) => ({ ...toDetail(detail), at: detail.at || now }));
  if (kept) saveDetails(db, id, details.slice(own.length), now);
  else replaceDetails(db, id, details);
}

const isSame = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b);

// A turn's own text stands for a line until a model writes one.
function betterLine(a: string | null, b: string | null, own: string): string | null {
  const made = [a, b].filter((line) => line !== null && line !== own);
  return made.length > 0 ? fuller(made[0] ?? null, made[1] ?? null) : (a ?? b);
}

function saveSummary(db: Database, id: number, text: string | null, now: number): void {
  if (text === null) return void db.query("delete from summaries where turn_id = ?").run(id);
  const model = text === textOfTurn(db, id) ? null : importedModel;
  db.query(
    `insert into summaries (turn_id, text, model, created_at) values ($id, $text, $model, $now)
     on conflict (turn_id) do update set text = $text, model = $model where text <> $text`,
  ).run({ id, text, model, now });
}
