import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { allDetails } from "../support/details.ts";
import { type Export, fillStore, openFile, readExport } from "../support/exported.ts";
import { tempHome } from "../support/home.ts";

type Row = Record<string, unknown>;
type Tables = Record<"sessions" | "turns" | "session_turns" | "messages" | "details" | "summaries", Row[]>;

/** The tables, each row by names instead of row ids; what a session had behind it follows from the links. */
function readTables(db: Database): Tables {
  const all = (sql: string): Row[] => db.query<Row, []>(sql).all();
  return {
    sessions: all(`select sessions.uuid, path as project, git_common_dir, sessions.transcript_path, sessions.entrypoint,
        sessions.headless, sessions.source, sessions.started_at, sessions.active_at, sessions.ended_at,
        sessions.end_reason, before.uuid as predecessor, sessions.link_reason, sessions.linked_at
      from sessions join projects on projects.id = sessions.project_id
      left join sessions before on before.id = sessions.predecessor_id order by sessions.id`),
    turns: all(`select uuid, started_at, zone_offset, state, cwd, model, context_tokens
      from turns order by uuid`),
    session_turns: all(`select sessions.uuid as session, turns.uuid as turn, parent_uuid, left_at
      from session_turns join sessions on sessions.id = session_id join turns on turns.id = turn_id
      order by session_id, position`),
    messages: all(`select turns.uuid as turn, source_id, role, at, text
      from messages join turns on turns.id = turn_id order by turns.uuid, messages.id`),
    details: allDetails(db).map(({ turn, sourceId, kind, tool = null, at, input = null, output = null }) => ({
      turn,
      source_id: sourceId,
      kind,
      tool,
      at,
      input,
      output,
    })),
    summaries: all(
      "select turns.uuid as turn, text from summaries join turns on turns.id = turn_id order by turns.uuid",
    ),
  };
}

/** The same rows, out of the lines of an export alone. A turn that several sessions list is one turn. */
function rebuild({ sessions, turns }: Export): Tables {
  const distinct = [...new Map(turns.map((turn) => [turn.uuid, turn])).values()].sort((a, b) =>
    a.uuid < b.uuid ? -1 : 1,
  );
  return {
    sessions: sessions.map(({ type: _, id, transcript, headless, ...session }) => ({
      ...session,
      uuid: id,
      transcript_path: transcript,
      headless: headless ? 1 : 0,
    })),
    turns: distinct.map(({ uuid, started_at, zone_offset, state, cwd, usage, ...rest }) => ({
      uuid,
      started_at,
      zone_offset,
      // `left` is a session's view of a turn; whether the turn was interrupted is the turn's own.
      state: state === "left" ? ("interrupted" in rest && rest.interrupted ? "interrupted" : "open") : state,
      cwd,
      model: usage?.model ?? null,
      context_tokens: usage?.context_tokens ?? null,
    })),
    session_turns: turns.map(({ session, uuid, parent_uuid, left_at }) => ({
      session,
      turn: uuid,
      parent_uuid,
      left_at,
    })),
    messages: distinct.flatMap((turn) =>
      turn.messages.map(({ uuid, ...message }) => ({ turn: turn.uuid, source_id: uuid, ...message })),
    ),
    details: distinct.flatMap((turn) => turn.details.map((detail) => ({ turn: turn.uuid, ...detail }))),
    summaries: distinct.flatMap(({ uuid, summary }) => (summary === null ? [] : [{ turn: uuid, text: summary }])),
  };
}

test.each(["sessions", "turns", "session_turns", "messages", "details", "summaries"] as const)(
  "the table %s can be rebuilt from an export of everything",
  async (table) => {
    using home = tempHome();
    await fillStore(home);
    using db = openFile(home);
    const stored = readTables(db)[table];
    expect(stored.length).toBeGreaterThan(0);
    expect(rebuild(await readExport(home, "--all"))[table]).toEqual(stored);
  },
);
