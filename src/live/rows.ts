import type { Database } from "bun:sqlite";
import { basename } from "node:path";
import { readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { estimateKeptTokens } from "../kept.ts";
import { readLiveFigures } from "../store/live.ts";
import { projectPathOf } from "../store/projects.ts";
import { findSession } from "../store/sessions.ts";
import { readNotes } from "./notes.ts";

/** A live session as it is shown. `null` is what is not known. */
export interface LiveRow {
  project: string;
  folder: string;
  session: string;
  pid: number;
  state: "working" | "waiting" | "idle" | null;
  waiting_for: string | null;
  /** The context after the last answer that was stored, and what fits, in tokens. */
  context_tokens: number | null;
  context_window: number | null;
  /** The context after each of the newest turns. */
  growth: number[];
  turns: number;
  /** What `/clear` would keep, in tokens; 0 where the next session would start clean. */
  clear_keeps: number | null;
  /** How long the session has been in that state, in milliseconds. */
  age: number;
}

const states: Readonly<Record<string, LiveRow["state"]>> = { busy: "working", waiting: "waiting", idle: "idle" };

/**
 * All live sessions of every project, those that wait for the person first, then those at work; the one that changed last first.
 * @param db `undefined` where nothing is stored yet
 */
export function readLive(db: Database | undefined, env: Env): LiveRow[] {
  const order = ["waiting", "working", "idle", null];
  return readNotes(env)
    .map(({ pid, sessionId, cwd, status, waitingFor, since }) => ({
      project: basename(cwd) || cwd,
      folder: cwd,
      session: sessionId,
      pid,
      state: states[status ?? ""] ?? null,
      waiting_for: waitingFor ?? null,
      ...figuresOf(db, env, sessionId),
      age: Math.max(0, env.now() - since),
    }))
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.age - b.age || a.pid - b.pid);
}

type Figures = Pick<LiveRow, "context_tokens" | "context_window" | "growth" | "turns" | "clear_keeps">;

function figuresOf(db: Database | undefined, env: Env, sessionId: string): Figures {
  const session = db && findSession(db, sessionId);
  if (!session) return { context_tokens: null, context_window: null, growth: [], turns: 0, clear_keeps: null };
  const { turns, contexts, model } = readLiveFigures(db, session.id);
  const tokens = contexts.at(-1) ?? null;
  const { config } = readSettings(env, () => projectPathOf(db, session.projectId));
  return {
    context_tokens: tokens,
    context_window: windowOf(model, tokens),
    growth: contexts,
    turns,
    clear_keeps: (config.capture === "on" ? estimateKeptTokens(db, session, config) : undefined) ?? null,
  };
}

/** What client 2.1.332 says of its models: those of the fifth generation hold a million tokens, those of the fourth 200,000. */
const windows: Readonly<Record<string, number>> = { "5": 1_000_000, "4": 200_000 };

// A context that is larger than that is in a window that the client was asked for.
function windowOf(model: string | null, tokens: number | null): number | null {
  const window = windows[/^claude-[a-z]+-(\d+)-/.exec(model ?? "")?.[1] ?? ""];
  return window !== undefined && (tokens ?? 0) <= window ? window : null;
}
