import type { Database } from "bun:sqlite";
import { accessSync, constants } from "node:fs";
import { defineCommand } from "citty";
import { dateOf, timeOf } from "../context/clock.ts";
import type { Env } from "../env.ts";
import { type Best, findBest } from "../index/best.ts";
import { printJson, printText } from "../output.ts";
import { dataFolder, searchIndexFile } from "../paths.ts";
import { projectPath } from "../project.ts";
import { finderOf, parseQuery, snippetOf } from "../search/query.ts";
import type { Hit, Piece } from "../search/rank.ts";
import { findProject } from "../store/projects.ts";
import { type FoundAt, type SearchScope, whereIs, worktreesOf } from "../store/search.ts";
import { findByPrefix } from "../store/sessions.ts";
import { lookUp } from "./lookup.ts";
import { findScope, openForReading, type Scope } from "./scope.ts";
import { UsageError } from "./usage.ts";

/** Ten turns with three snippets each are about 8,000 characters; Claude Code shows the model 30,000 of a Bash call. */
const pageSize = 10;
/** Reading more turns than this, of about 30,000 characters each, takes longer than starting this program does. */
const fewUnindexed = 300;
const kinds = ["said", "lines", "tools"] as const;
const roles = ["user", "assistant"] as const;
const day = 86_400_000;

/** `throughline search <words>`: the turns that hold them, in any layer, with the time that `detail` takes. */
export default (env: Env) =>
  defineCommand({
    meta: { name: "search", description: "Find turns by words in what was said, in lines and in tool traffic" },
    args: {
      words: {
        type: "positional",
        required: false,
        valueHint: "words …",
        description: 'All of them, in any case: part of a word, "a phrase"; -word for none of it',
      },
      project: { type: "string", description: "The project at this folder", valueHint: "dir" },
      all: { type: "boolean", description: "Every project" },
      session: { type: "string", description: "Only this session", valueHint: "id" },
      since: {
        type: "string",
        description: "From this day on, or so many days back: 2026-11-01, 7d",
        valueHint: "day",
      },
      until: { type: "string", description: "Up to the end of this day", valueHint: "day" },
      kind: { type: "string", description: kinds.join(", "), valueHint: "kind" },
      role: { type: "string", description: roles.join(", "), valueHint: "role" },
      tool: { type: "string", description: "Only this tool's traffic: Bash, Edit …", valueHint: "name" },
      file: { type: "string", description: "Only turns whose tools touched this file", valueHint: "path" },
      page: { type: "string", description: "Which page of the answer", default: "1", valueHint: "n" },
      json: { type: "boolean", description: "Print JSON" },
    },
    async run({ args }) {
      const text = args._.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ");
      const query = parseQuery(text);
      if (!query) throw new UsageError('search takes words, "phrases" and -words to leave out');
      const page = Number(args.page);
      if (!Number.isInteger(page) || page < 1)
        throw new UsageError(`--page takes a number from 1 on, not "${args.page}"`);
      using db = openForReading(env);
      const scope: SearchScope = {
        ...placeOf(db, env, args),
        since: args.since === undefined ? undefined : momentOf(args.since, env.now(), "--since"),
        until: args.until === undefined ? undefined : momentOf(args.until, env.now(), "--until") + day,
        kind: oneOf(kinds, args.kind, "--kind"),
        role: oneOf(roles, args.role, "--role"),
        tool: args.tool,
      };
      const search = { query, scope, file: args.file };
      const place = { from: (page - 1) * pageSize, count: pageSize };
      const { hits, turns, isAll, unindexed } = findBest(db, searchIndexFile(env), search, env.now(), place);
      if (turns > 0 && hits.length === 0)
        throw new UsageError(`there is no page ${page}: ${turns} turns are ${Math.ceil(turns / pageSize)} pages`);
      const own = findScope(db, env, undefined);
      const finders = query.terms.map(finderOf);
      const shown = hits.map((hit) => describe(db, own, hit, finders));
      if (args.json) await printJson({ query: text, turns, isAll, page, results: shown, unindexed });
      else await printText(`${answerText(text, { hits, turns, isAll, unindexed }, page, shown)}\n`);
      if (unindexed > fewUnindexed && isWritable(env)) env.startAgain(["worker", "index"], { THROUGHLINE_WORKER: "1" });
    },
  });

interface Place {
  project?: string | undefined;
  all?: boolean | undefined;
  session?: string | undefined;
}

function placeOf(db: Database, env: Env, { project, all, session }: Place): SearchScope {
  if ([project, all, session].filter((given) => given !== undefined).length > 1)
    throw new UsageError("search takes one of --project, --all and --session");
  if (session !== undefined) {
    const [found, other] = findByPrefix(db, session);
    if (!found || (other && found.sessionId !== session)) throw new UsageError(`no one session ${session} is stored`);
    return { sessionId: found.id };
  }
  if (all) return {};
  const projectId =
    project === undefined ? findScope(db, env, undefined)?.projectId : findProject(db, projectPath(project));
  if (projectId === undefined)
    throw new UsageError(`nothing is stored for ${project ?? "this folder"}; --all searches everything`);
  return { projectIds: worktreesOf(db, projectId) };
}

function momentOf(text: string, now: number, option: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return now - Number(days) * day;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`${option} takes a day (2026-11-01) or so many days back (7d), not "${text}"`);
  return at;
}

function oneOf<const Value extends string>(
  allowed: readonly Value[],
  value: string | undefined,
  option: string,
): Value | undefined {
  const found = allowed.find((one) => one === value);
  if (value !== undefined && found === undefined)
    throw new UsageError(`${option} takes ${allowed.join(", ")}, not "${value}"`);
  return found;
}

interface Described {
  command: string;
  project: string;
  session: string;
  date: string;
  time: string;
  score: number;
  snippets: { where: string; text: string }[];
}

function describe(
  db: Database,
  own: Scope | undefined,
  { turnId, score, pieces }: Hit,
  finders: readonly RegExp[],
): Described {
  const found = whereIs(db, turnId) as FoundAt;
  const snippets = pieces.map(({ where, text }: Piece) => ({
    where,
    text: snippetOf(text, finders, (hit) => `**${hit}**`),
  }));
  const { project, session } = found;
  return {
    command: commandFor(db, own, found),
    project,
    session,
    date: dateOf(found),
    time: timeOf(found),
    score: Math.round(score * 1_000) / 1_000,
    snippets,
  };
}

// Named as `detail` names it from here.
function commandFor(db: Database, own: Scope | undefined, found: FoundAt): string {
  const scope: Scope = own?.projectId === found.projectId ? own : { projectId: found.projectId, session: undefined };
  const seconds = Math.floor((found.startedAt / 1_000 + found.zoneOffset * 60) % 86_400);
  const when = { date: dateOf(found), from: seconds, to: seconds, single: false };
  const { shown, also } = lookUp(db, scope, when);
  const named = [...shown, ...also].find(({ id }) => id === found.turnId);
  const name = named?.name ?? `${dateOf(found)} ${timeOf(found)}`;
  return `throughline detail ${name}${named?.inThread ? "" : ` --session ${named?.session ?? found.session}`}`;
}

function isWritable(env: Env): boolean {
  try {
    accessSync(dataFolder(env), constants.W_OK);
    return true;
  } catch {
    return false; // as in a sandbox: somebody else brings the index up to date
  }
}

function answerText(
  text: string,
  { turns, isAll, unindexed }: Best,
  page: number,
  shown: readonly Described[],
): string {
  const slow =
    unindexed > fewUnindexed
      ? [`---\n${unindexed} turns are not in the search index yet and were read one by one.`]
      : [];
  if (turns === 0) return [`No turn has ${text}.`, ...slow].join("\n\n");
  const blocks = shown.map(({ command, snippets }) =>
    [command, ...snippets.map(({ where, text: snippet }) => `  [${where}] ${snippet}`)].join("\n"),
  );
  const more =
    !isAll || turns > page * pageSize
      ? [`---\n${isAll ? "" : "more than "}${turns} turns; next: --page ${page + 1}`]
      : [];
  return [...blocks, ...more, ...slow].join("\n\n");
}
