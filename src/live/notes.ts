import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Env } from "../env.ts";
import { clientFolder } from "../paths.ts";

/** What a running client says of itself in `sessions/<pid>.json`, measured with 2.1.197 and 2.1.332. */
export interface Note {
  pid: number;
  sessionId: string;
  cwd: string;
  /** `busy`, `waiting` and `idle` are known; absent at the very start. */
  status: string | undefined;
  /** What it waits for, such as `permission prompt`. */
  waitingFor: string | undefined;
  /** UTC milliseconds of the last change of its state, or of its start. */
  since: number;
}

const shape = z.object({
  pid: z.number(),
  sessionId: z.string(),
  cwd: z.string(),
  startedAt: z.optional(z.number()),
  status: z.optional(z.string()),
  waitingFor: z.optional(z.string()),
  statusUpdatedAt: z.optional(z.number()),
});

/** The notes of clients that run. One that is just being written, or is no such note, is passed over until the next look. */
export function readNotes(env: Env): Note[] {
  return filesIn(join(clientFolder(env), "sessions"))
    .map(parse)
    .filter((note) => note !== undefined)
    .filter(({ pid }) => env.exists(pid))
    .map(({ startedAt, statusUpdatedAt, status, waitingFor, ...note }) => ({
      ...note,
      status,
      waitingFor,
      since: statusUpdatedAt ?? startedAt ?? 0,
    }));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => join(folder, name));
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function parse(file: string): z.infer<typeof shape> | undefined {
  try {
    return z.safeParse(shape, JSON.parse(readFileSync(file, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || isAbsent(error)) return undefined;
    throw error;
  }
}

const isAbsent = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");
