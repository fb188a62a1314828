import type { Database } from "bun:sqlite";
import { dirname, resolve } from "node:path";
import { type Config, readConfig } from "./config.ts";
import { renderParts, type Told } from "./context/parts.ts";
import type { ContextTurn } from "./context/select.ts";
import { detectLanguage, type Language } from "./context/strings.ts";
import type { Env } from "./env.ts";
import { pidOf } from "./processes.ts";
import { readLastInput, readPlan } from "./store/details.ts";
import {
  findExactPredecessor,
  findHeuristicPredecessor,
  type Measure,
  measureThread,
  type Predecessor,
  walkThread,
} from "./store/lineage.ts";
import { readMessages, readSummary } from "./store/messages.ts";
import { projectPathOf, worktreesOf } from "./store/projects.ts";
import type { Session } from "./store/sessions.ts";
import type { LinkReason, Message, StoredTurn } from "./types.ts";

/** What a session would be told of a thread, and what that replaces. */
export interface Telling extends Told {
  language: Language;
  /** The size the context had at the thread's last answer, in tokens. */
  replacedTokens: number | null;
}

/**
 * The session that a starting one continues: exact by its client process, else by the heuristic where the settings
 * allow a guess.
 */
export function findPredecessor(
  db: Database,
  env: Env,
  projectId: number,
  self: number,
  client: string | undefined,
  { inherit, worktrees }: Pick<Config, "inherit" | "worktrees">,
): Predecessor | undefined {
  const projectIds = worktrees === "together" ? worktreesOf(db, projectId) : [projectId];
  const exact = client === undefined ? undefined : findExactPredecessor(db, client, projectIds, self);
  if (exact) return { session: exact, reason: "exact" };
  if (inherit !== "project") return undefined;
  const runs = (name: string) => env.identify(pidOf(name)) === name;
  const guess = findHeuristicPredecessor(db, projectIds, self, runs);
  return guess && { session: guess, reason: "heuristic" };
}

/** Why nothing is ever restored in this project's folder; `undefined` where it is an ordinary one. */
export function refusedFolder(db: Database, env: Env, projectId: number): string | undefined {
  const path = projectPathOf(db, projectId);
  if (path === env.home) return "the home folder";
  if (path === dirname(path)) return "the root folder";
  const temporary = [env.vars.TMPDIR, env.vars.TEMP, env.vars.TMP, "/tmp", "/var/tmp", "/private/tmp"];
  return temporary.some((folder) => folder && resolve(folder) === path) ? "a temporary folder" : undefined;
}

/**
 * Renders what is told of the thread that ends with a session, as it stood at a time.
 * @param options.measure the thread, where somebody measured it already
 * @returns `undefined` when the thread has no turn
 */
export function tellThread(
  db: Database,
  session: Session,
  reason: LinkReason,
  options: { now: number; until: number; parts: number; language: Config["language"]; measure?: Measure | undefined },
): Telling | undefined {
  const turns = contextTurns(db, walkThread(db, session, options.until));
  const newest = turns.peek();
  if (!newest) return undefined;
  const { turns: total, since } = options.measure ?? measureThread(db, session, options.until);
  const language = options.language === "auto" ? detectLanguage(userTexts(turns)) : options.language;
  const frame = {
    language,
    now: options.now,
    link: { sessionId: session.sessionId, reason },
    total,
    since: since ?? undefined,
    openTodos: openTodos(readLastInput(db, newest.id, "TodoWrite")),
  };
  const told = renderParts(turns, frame, options.parts);
  return { ...told, language, replacedTokens: replacedTokens(turns) };
}

/**
 * What a session's successor would be told, by the project's settings.
 * @throws ConfigError when a setting is wrong
 */
export function tellSuccessor(db: Database, env: Env, { session, reason }: Predecessor): Telling | undefined {
  const { restore_parts: parts, language } = readConfig(env, projectPathOf(db, session.projectId));
  return tellThread(db, session, reason, {
    now: env.now(),
    until: Number.MAX_SAFE_INTEGER,
    parts: Math.max(1, parts),
    language,
  });
}

/** Turns with their texts, read when first asked for and remembered. */
export interface Turns extends Iterable<ContextTurn> {
  peek: () => ContextTurn | undefined;
}

export function contextTurns(db: Database, walk: Iterator<StoredTurn>): Turns {
  const read: ContextTurn[] = [];
  const at = (n: number): ContextTurn | undefined => {
    while (read.length <= n) {
      const next = walk.next();
      if (next.done) return undefined;
      const summary = readSummary(db, next.value.id);
      read.push({
        ...next.value,
        messages: messagesOf(db, next.value.id),
        ...(summary === undefined ? {} : { summary }),
      });
    }
    return read[n];
  };
  return {
    peek: () => at(0),
    *[Symbol.iterator]() {
      for (let n = 0, turn = at(0); turn; turn = at(++n)) yield turn;
    },
  };
}

function messagesOf(db: Database, turnId: number): Message[] {
  const messages = readMessages(db, turnId);
  const plan = messages.some(({ role }) => role === "user") ? undefined : readPlan(db, turnId);
  if (!plan) return messages;
  const { sourceId, at, output = "" } = plan;
  return [{ sourceId, role: "user", at, text: output }, ...messages];
}

const sampledTurns = 10;

function userTexts(turns: Iterable<ContextTurn>): string[] {
  const texts: string[] = [];
  let n = 0;
  for (const turn of turns) {
    texts.push(
      ...turn.messages.filter((message) => message.role === "user").map((message) => message.text.slice(0, 2_000)),
    );
    if (++n === sampledTurns) break;
  }
  return texts;
}

// The last answer's context; turns that were never answered have none.
function replacedTokens(turns: Iterable<ContextTurn>): number | null {
  let n = 0;
  for (const turn of turns) {
    if (turn.contextTokens !== null) return turn.contextTokens;
    if (++n === sampledTurns) break;
  }
  return null;
}

function openTodos(input: string | undefined): string[] {
  if (input === undefined) return [];
  try {
    const { todos } = JSON.parse(input) as { todos?: unknown };
    if (!Array.isArray(todos)) return [];
    return todos.flatMap((todo: { content?: unknown; status?: unknown } | null) =>
      typeof todo?.content === "string" && todo.status !== "completed" ? [todo.content] : [],
    );
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
