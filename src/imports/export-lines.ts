import * as z from "zod/mini";
import { linkReasons } from "../types.ts";

/** The version of the format that docs/export.md describes. */
const formatVersion = 1;

/** UTC milliseconds in years of four digits, in every zone. */
const time = () => z.int().check(z.minimum(0), z.maximum(Date.UTC(9999, 11, 30)));
const text = () => z.nullable(z.string());
const state = z.enum(["open", "interrupted", "answer_only", "left"]);

const schemas = z.discriminatedUnion("type", [
  z.object({ type: z.literal("export"), version: z.int(), exported_at: z.optional(time()) }),
  z.object({
    type: z.literal("session"),
    id: z.string().check(z.minLength(1)),
    project: z.string().check(z.minLength(1)),
    git_common_dir: text(),
    transcript: text(),
    entrypoint: text(),
    headless: z.boolean(),
    source: text(),
    started_at: time(),
    active_at: time(),
    ended_at: z.nullable(time()),
    end_reason: text(),
    predecessor: text(),
    link_reason: z.nullable(z.enum(linkReasons)),
    linked_at: z.nullable(time()),
  }),
  z.object({
    type: z.literal("turn"),
    uuid: z.string().check(z.minLength(1)),
    parent_uuid: text(),
    session: z.string(),
    number: z.int(),
    started_at: time(),
    zone_offset: z.int().check(z.minimum(-1_440), z.maximum(1_440)),
    state,
    interrupted: z.optional(z.literal(true)),
    left_at: z.nullable(time()),
    cwd: text(),
    messages: z.array(
      z.object({ uuid: z.string(), role: z.enum(["user", "assistant"]), at: time(), text: z.string() }),
    ),
    summary: text(),
    usage: z.nullable(z.object({ model: text(), context_tokens: z.nullable(z.int()) })),
    details: z.array(
      z.object({
        kind: z.enum(["tool_input", "tool_output", "system", "image"]),
        source_id: z.string(),
        tool: text(),
        at: time(),
        input: text(),
        output: text(),
      }),
    ),
  }),
]);

/** A line of an export, checked. */
export type ExportLine = z.infer<typeof schemas>;
export type SessionLine = Extract<ExportLine, { type: "session" }>;
export type TurnLine = Extract<ExportLine, { type: "turn" }>;

/**
 * One line of an export: what it says, why it cannot be read, or neither where it is of a type that is not known yet.
 * A header of a newer format is `newer`.
 */
export function parseExportLine(line: string): { line?: ExportLine; bad?: string; newer?: number } {
  const value = parseJson(line);
  if (value === undefined) return { bad: "not JSON" };
  const { type, version } = (value ?? {}) as Record<string, unknown>;
  if (typeof type !== "string") return { bad: "no type" };
  if (type === "export" && typeof version === "number" && version > formatVersion) return { newer: version };
  if (!["export", "session", "turn"].includes(type)) return {};
  const result = z.safeParse(schemas, value);
  if (result.success) return { line: result.data };
  const issue = result.error.issues[0];
  return { bad: `${issue?.path.join(".") || type}: ${issue?.message ?? "not valid"}` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
