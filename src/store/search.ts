import type { Database } from "bun:sqlite";
import type { Detail } from "../types.ts";
import { detailsOf, type PackRow } from "./details.ts";

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
  turnId: number;
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

/** Every text that a scope has: what was said, lines, tool traffic. One at a time, as there may be a great many. */
export function* searchTexts(db: Database, scope: SearchScope): Generator<SearchText> {
  const { kind, role, tool } = scope;
  const turns = `turn_id in (${turnsOf(scope)})`;
  const wantsSaid = (kind ?? "said") === "said" && tool === undefined;
  if (wantsSaid) {
    const sql = `select turn_id as turnId, role as "where", text from messages where ${turns} and role = coalesce($role, role)`;
    yield* db.query<SearchText, Values>(sql).iterate({ ...valuesOf(scope), role: role ?? null });
  }
  if ((kind ?? "lines") === "lines" && role === undefined && tool === undefined) {
    const sql = `select turn_id as turnId, 'line' as "where", text from summaries where ${turns} and model is not null`;
    yield* db.query<SearchText, Values>(sql).iterate(valuesOf(scope));
  }
  if ((kind ?? "tools") === "tools" && role === undefined) yield* toolTexts(db, scope, turns);
}

function* toolTexts(db: Database, scope: SearchScope, turns: string): Generator<SearchText> {
  const called = new Map<string, string>(); // the tool of a result is the one that was called
  for (const { turnId, sourceId, kind, tool, input, output } of detailsIn(db, scope, turns)) {
    if (tool !== undefined) called.set(`${sourceId}:result`, tool);
    const where = tool ?? called.get(sourceId) ?? "tool";
    if (kind === "image" || (scope.tool !== undefined && where !== scope.tool)) continue;
    for (const text of [input, output]) if (text !== undefined) yield { turnId, where, text };
  }
}

function* detailsIn(db: Database, scope: SearchScope, turns: string): Generator<Detail & { turnId: number }> {
  const ofTool =
    scope.tool === undefined ? "" : "and turn_id in (select turn_id from detail_packs where instr(tools, $tool) > 0)";
  const sql = `select turn_id as turnId, source_ids as sourceIds, details from detail_packs where ${turns} ${ofTool} order by turn_id, id`;
  const tool = scope.tool === undefined ? {} : { tool: JSON.stringify(scope.tool) };
  for (const row of db.query<PackRow, Values>(sql).iterate({ ...valuesOf(scope), ...tool })) {
    for (const detail of detailsOf(row)) yield { ...detail, turnId: row.turnId };
  }
}

type Values = Record<string, string | number | null>;

const turnsOf = ({ projectIds }: SearchScope): string => `
  select session_turns.turn_id from session_turns join turns on turns.id = session_turns.turn_id
    join sessions on sessions.id = session_id
  where turns.started_at >= $since and turns.started_at < $until and session_id = coalesce($sessionId, session_id)
    ${projectIds ? `and project_id in (${projectIds.map(Number).join(", ")})` : ""}`;

const valuesOf = ({ sessionId, since, until }: SearchScope): Values => ({
  sessionId: sessionId ?? null,
  since: since ?? 0,
  until: until ?? Number.MAX_SAFE_INTEGER,
});

/** The turns whose tools were given a file, by any end of its path. */
export function turnsTouching(db: Database, scope: SearchScope, file: string): Set<number> {
  const touching = new Set<number>();
  const written = JSON.stringify(file).slice(1, -1);
  for (const { turnId, kind, input } of detailsIn(db, scope, `turn_id in (${turnsOf(scope)})`)) {
    if (kind === "tool_input" && (input?.includes(file) || input?.includes(written))) touching.add(turnId);
  }
  return touching;
}

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
