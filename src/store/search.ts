import type { Database } from "bun:sqlite";
import { readDetails } from "./details.ts";

/** Which turns are searched, and what of them. Times are UTC milliseconds. */
export interface SearchScope {
  /** Absent: every project's. */
  projectIds?: readonly number[] | undefined;
  sessionId?: number | undefined;
  since?: number | undefined;
  until?: number | undefined;
  kind?: "said" | "lines" | "tools" | undefined;
  role?: "user" | "assistant" | undefined;
  tool?: string | undefined;
}

/** A text of a turn. `where` is who said it, `line`, or the tool's name. */
export interface SearchText {
  where: string;
  text: string;
}

/** The project and those whose repository it shares: its worktrees. */
export const worktreesOf = (db: Database, projectId: number): number[] =>
  db
    .query<{ id: number }, { projectId: number }>(
      `select id from projects where id = $projectId
         or git_common_dir = (select git_common_dir from projects where id = $projectId)`,
    )
    .all({ projectId })
    .map(({ id }) => id);

/** A turn in a scope. */
export interface ScopedTurn {
  turnId: number;
  /** UTC milliseconds. */
  startedAt: number;
}

/** Of more turns than this it is quicker to go through all. */
const fewTurns = 2_000;

/** The turns of a scope, the newest first, one at a time; of some turns alone where they are given. */
export function* turnsIn(db: Database, scope: SearchScope, some?: ReadonlySet<number>): Generator<ScopedTurn> {
  const { projectIds, sessionId, since, until, tool } = scope;
  const isFew = some !== undefined && some.size <= fewTurns;
  const sql = `
    select id as turnId, started_at as startedAt from turns
    where started_at >= $since and started_at < $until ${isFew ? "and id in (select value from json_each($some))" : ""}
      and exists (select 1 from session_turns join sessions on sessions.id = session_id
        where turn_id = turns.id and session_id = coalesce($sessionId, session_id)
        ${projectIds ? `and project_id in (${projectIds.map(Number).join(", ")})` : ""})
      ${tool === undefined ? "" : "and exists (select 1 from detail_packs where turn_id = turns.id and instr(tools, $tool) > 0)"}
    order by started_at desc, id desc`;
  const values = {
    sessionId: sessionId ?? null,
    since: since ?? 0,
    until: until ?? Number.MAX_SAFE_INTEGER,
    ...(tool === undefined ? {} : { tool: JSON.stringify(tool) }),
    ...(isFew ? { some: JSON.stringify([...some]) } : {}),
  };
  for (const turn of db.query<ScopedTurn, Values>(sql).iterate(values)) {
    if (isFew || (some?.has(turn.turnId) ?? true)) yield turn;
  }
}

export const countTurns = (db: Database): number =>
  (db.query("select count(*) as n from turns").get() as { n: number }).n;

type Values = Record<string, string | number | null>;

/** What of a turn's texts is searched. */
export type TextScope = Pick<SearchScope, "kind" | "role" | "tool">;

/** A turn's texts: what was said, its line, tool traffic. */
export function* textsOf(db: Database, turnId: number, { kind, role, tool }: TextScope): Generator<SearchText> {
  const wants = (layer: NonNullable<TextScope["kind"]>) => (kind ?? layer) === layer;
  if (wants("said") && tool === undefined) {
    const sql = `select role as "where", text from messages where turn_id = $turnId and role = coalesce($role, role)`;
    yield* db.query<SearchText, Values>(sql).all({ turnId, role: role ?? null });
  }
  if (wants("lines") && role === undefined && tool === undefined) {
    const sql = `select 'line' as "where", text from summaries where turn_id = ? and model is not null`;
    yield* db.query<SearchText, [number]>(sql).all(turnId);
  }
  if (wants("tools") && role === undefined) yield* toolTexts(db, turnId, tool);
}

function* toolTexts(db: Database, turnId: number, only: string | undefined): Generator<SearchText> {
  const called = new Map<string, string>(); // the tool of a result is the one that was called
  for (const { sourceId, kind, tool, input, output } of readDetails(db, turnId)) {
    if (tool !== undefined) called.set(`${sourceId}:result`, tool);
    const where = tool ?? called.get(sourceId) ?? "tool";
    if (kind === "image" || (only !== undefined && where !== only)) continue;
    for (const text of [input, output]) if (text !== undefined) yield { where, text };
  }
}

/** Whether one of a turn's tools was given a file, by any end of its path. */
export function isTouching(db: Database, turnId: number, file: string): boolean {
  const written = asWritten(file);
  return readDetails(db, turnId).some(
    ({ kind, input }) => kind === "tool_input" && (input?.includes(file) || input?.includes(written)),
  );
}

/** A path as JSON has it. */
export const asWritten = (file: string): string => JSON.stringify(file).slice(1, -1);

/** Where a turn is: what it takes to name it. */
export interface FoundAt {
  turnId: number;
  /** UTC milliseconds. */
  startedAt: number;
  zoneOffset: number;
  projectId: number;
  project: string;
  session: string;
}

export const whereIs = (db: Database, turnId: number): FoundAt | undefined =>
  db
    .query<FoundAt, [number]>(
      `select turns.id as turnId, turns.started_at as startedAt, turns.zone_offset as zoneOffset, project_id as projectId,
         path as project, sessions.uuid as session
       from turns join session_turns on turn_id = turns.id join sessions on sessions.id = session_id
       join projects on projects.id = project_id where turns.id = ? order by sessions.id desc limit 1`,
    )
    .get(turnId) ?? undefined;
