import type { Database } from "bun:sqlite";
import { type Detail, type Message, planTool } from "../types.ts";
import { unpack } from "./pack.ts";

/** A turn's L2 in the order it was said; its prompt first, wherever the transcript has it. */
export const readMessages = (db: Database, turnId: number): Message[] =>
  db
    .query<Message, { turnId: number }>(
      `select source_id as sourceId, role, at, text from messages where turn_id = $turnId
       order by source_id <> (select uuid from turns where id = $turnId), id`,
    )
    .all({ turnId });

type DetailRow = Omit<Detail, "tool" | "input" | "output"> & {
  tool: string | null;
  input: string | Uint8Array | null;
  output: string | Uint8Array | null;
};

/** A turn's L3 in the order it happened. */
export function readDetails(db: Database, turnId: number): Detail[] {
  const sql = "select source_id as sourceId, kind, tool, at, input, output from details where turn_id = ? order by id";
  return db
    .query<DetailRow, [number]>(sql)
    .all(turnId)
    .map(({ tool, input, output, ...detail }) => ({
      ...detail,
      ...(tool === null ? {} : { tool }),
      ...(input === null ? {} : { input: unpack(input) as string }),
      ...(output === null ? {} : { output: unpack(output) as string }),
    }));
}

/** The turn's one-line summary, if it has one. */
export const readSummary = (db: Database, turnId: number): string | undefined =>
  db.query<{ text: string }, [number]>("select text from summaries where turn_id = ?").get(turnId)?.text;

/** The input of the turn's last call of a tool. */
export function readLastInput(db: Database, turnId: number, tool: string): string | undefined {
  const row = db
    .query<{ input: string | Uint8Array | null }, [number, string]>(
      "select input from details where turn_id = ? and kind = 'tool_input' and tool = ? order by id desc limit 1",
    )
    .get(turnId, tool);
  return row ? unpack(row.input) : undefined;
}

/** The plan that stands in the place of the turn's prompt, as a message. */
export function readPlan(db: Database, turnId: number): Message | undefined {
  const row = db
    .query<{ sourceId: string; at: number; output: string | Uint8Array | null }, [number, string]>(
      "select source_id as sourceId, at, output from details where turn_id = ? and kind = 'system' and tool = ? limit 1",
    )
    .get(turnId, planTool);
  return row ? { sourceId: row.sourceId, role: "user", at: row.at, text: unpack(row.output) ?? "" } : undefined;
}
