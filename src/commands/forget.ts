import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { defineCommand } from "citty";
import { head } from "../context/clip.ts";
import { dateOf, timeOf } from "../context/clock.ts";
import { withCommas } from "../context/numbers.ts";
import type { Env } from "../env.ts";
import { forgetTurns, listCopies, type Wanted } from "../forget/forget.ts";
import { candidatesFor, findTurns } from "../index/find.ts";
import { printText } from "../output.ts";
import { searchIndexFile } from "../paths.ts";
import { projectPath } from "../project.ts";
import { parseQuery } from "../search/query.ts";
import { findProject } from "../store/projects.ts";
import type { SearchScope } from "../store/search.ts";
import { findByPrefix } from "../store/sessions.ts";
import { describeTurns, type TurnToForget, transcriptsOf, turnsOfProject, turnsOfSession } from "../store/to-forget.ts";
import { agrees } from "./ask.ts";
import { lookUp } from "./lookup.ts";
import { findScope, openForWriting } from "./scope.ts";
import { UsageError } from "./usage.ts";
import { accepted, parseWhen } from "./when.ts";

const mostShown = 10;
const promptLength = 70;

/** `throughline forget`: turns that are to be gone for good. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "forget",
      description: "Remove turns for good, and keep them from coming back: by time, session, project or words",
    },
    args: {
      when: { type: "positional", required: false, description: `In this project: ${accepted}`, valueHint: "when" },
      session: { type: "string", description: "All turns of this session", valueHint: "id" },
      project: { type: "string", description: "All turns of the project at this folder", valueHint: "dir" },
      match: {
        type: "string",
        description: "Turns that hold these words, as search finds them: of this project, or of --session or --project",
        valueHint: "words",
      },
      yes: { type: "boolean", alias: "y", description: "Say yes to every question" },
      "dry-run": { type: "boolean", description: "Only show what would go" },
    },
    async run({ args }) {
      using db = openForWriting(env);
      const wanted = choose(db, env, args);
      const turns = describeTurns(db, wanted.turnIds);
      if (turns.length === 0) return await printText("No stored turn is that: nothing was changed.\n");
      const transcripts = transcriptsOf(db, wanted.turnIds).filter((path) => existsSync(path));
      await printText(previewText(turns, listCopies(env)));
      if (args["dry-run"] || !(await agrees("Forget this for good?", args.yes === true))) return;
      const isDone = forgetTurns(env, db, wanted);
      await printText(doneText(turns.length, transcripts));
      if (!isDone)
        throw new Error(
          "another process still reads the old pages of the database, so they are not overwritten yet: close what reads it and run `throughline db compact`",
        );
    },
  });

interface Asked {
  when?: string | undefined;
  session?: string | undefined;
  project?: string | undefined;
  match?: string | undefined;
}

function choose(db: Database, env: Env, { when, session, project, match }: Asked): Wanted {
  const named = [when, session, project].filter((one) => one !== undefined).length;
  if (named + (match === undefined ? 0 : 1) === 0)
    throw new UsageError(`forget takes ${accepted}; or --session, --project or --match`);
  if (named > 1)
    throw new UsageError("forget takes one of a time, --session and --project; --match narrows the last two");
  if (when !== undefined && match !== undefined) throw new UsageError("forget takes a time or --match, not both");
  if (when !== undefined) return { turnIds: atTime(db, env, when), projectIds: [] };
  const scope = scopeOf(db, env, session, project);
  if (match !== undefined) return { turnIds: matching(db, env, match, scope), projectIds: [] };
  return scope.sessionId === undefined
    ? { turnIds: scope.projectIds.flatMap((id) => turnsOfProject(db, id)), projectIds: scope.projectIds }
    : { turnIds: turnsOfSession(db, scope.sessionId), projectIds: [] };
}

function atTime(db: Database, env: Env, text: string): number[] {
  const when = parseWhen(text);
  if (!when) throw new UsageError(`"${text}" is no time; forget takes ${accepted}`);
  return lookUp(db, findScope(db, env, undefined), when).shown.map(({ id }) => id);
}

interface Place {
  sessionId?: number;
  projectIds: number[];
}

function scopeOf(db: Database, env: Env, session: string | undefined, project: string | undefined): Place {
  if (session !== undefined) {
    const [found, other] = findByPrefix(db, session);
    if (!found) throw new UsageError(`no session ${session} is stored`);
    if (other && found.sessionId !== session) throw new UsageError(`more than one session begins with ${session}`);
    return { sessionId: found.id, projectIds: [] };
  }
  const folder = project ?? (env.vars.CLAUDE_PROJECT_DIR || env.cwd);
  const id = findProject(db, projectPath(folder));
  if (id === undefined) throw new UsageError(`nothing is stored for ${folder}`);
  return { projectIds: [id] };
}

// As a search finds them, but for age and rank: all of them.
function matching(db: Database, env: Env, words: string, { sessionId, projectIds }: Place): number[] {
  const query = parseQuery(words);
  if (!query) throw new UsageError('--match takes words, "phrases" and -words, as search does');
  const scope: SearchScope = sessionId === undefined ? { projectIds } : { sessionId };
  const search = { query, scope };
  const { turns } = candidatesFor(db, searchIndexFile(env), search);
  return [...findTurns(db, search, turns)].map(({ turnId }) => turnId);
}

function previewText(turns: readonly TurnToForget[], copies: readonly string[]): string {
  const [first, last] = [turns[0] as TurnToForget, turns.at(-1) as TurnToForget];
  const sessions = new Set(turns.map(({ session }) => session)).size;
  const shown = turns.slice(0, mostShown).map((turn) => `  ${nameOf(turn)}  ${head(turn.prompt, promptLength)}`);
  const more = turns.length - shown.length;
  return [
    `To be forgotten: ${count(turns.length, "turn")} of ${count(sessions, "session")}, ${nameOf(first)} to ${nameOf(last)}`,
    ...shown,
    ...(more > 0 ? [`  and ${withCommas(more)} more`] : []),
    "With what their tools said, their lines, and what later sessions were told of them.",
    ...(copies.length > 0 ? ["Copies of the database that hold them go as well; a new backup is made:"] : []),
    ...copies.map((path) => `  ${path}`),
    "",
  ].join("\n");
}

const nameOf = (turn: TurnToForget): string => `${dateOf(turn)} ${timeOf(turn)}`;
const count = (n: number, noun: string): string => `${withCommas(n)} ${noun}${n === 1 ? "" : "s"}`;

function doneText(turns: number, transcripts: readonly string[]): string {
  return [
    `${count(turns, "turn")} forgotten: no reading, import, backup or repair brings them back.`,
    ...(transcripts.length > 0
      ? ["Claude Code's own transcripts, which are not ours to change, still hold the words:"]
      : []),
    ...transcripts.map((path) => `  ${path}`),
    "",
  ].join("\n");
}
