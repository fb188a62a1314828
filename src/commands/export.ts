import type { Database } from "bun:sqlite";
import { defineCommand } from "citty";
import { readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { type Masks, masksOf } from "../mask/masks.ts";
import { maskTurn } from "../mask/turns.ts";
import { printableJson } from "../output.ts";
import { projectPath } from "../project.ts";
import { type ExportedTurn, type ExportScope, exportSessions, exportTurns } from "../store/export.ts";
import { findProject } from "../store/projects.ts";
import type { Session } from "../store/sessions.ts";
import { stretchesOf, stretchesOfThread } from "./export-scope.ts";
import { programVersion } from "./program-version.ts";
import { findScope, openForReading } from "./scope.ts";
import { type Write, writeTo } from "./sink.ts";
import { readTranscript } from "./transcript-store.ts";
import { UsageError } from "./usage.ts";

/** The version of the format that docs/export.md describes. */
const formatVersion = 1;

/** What names that which is exported. */
const scopes = ["session", "thread", "project", "transcript", "all"] as const;

interface Args {
  session?: string | undefined;
  thread?: string | undefined;
  project?: string | undefined;
  all?: boolean | undefined;
}

/** `throughline export`: sessions and turns as JSON lines, enough to rebuild a store from; or as a page to read. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "export",
      description: "Print sessions and turns as JSON lines, or a conversation as a page to read and keep (--html)",
    },
    args: {
      html: { type: "boolean", description: "One page with everything in it: by default of the current conversation" },
      session: { type: "string", description: "Only this session", valueHint: "id" },
      thread: {
        type: "string",
        description: "With --html: this session and those it continues, as it remembers them",
        valueHint: "id",
      },
      project: {
        type: "string",
        description: "The project at this folder; without --html the default",
        valueHint: "dir",
      },
      transcript: {
        type: "string",
        description: "What this transcript file holds; the store is not touched",
        valueHint: "file",
      },
      all: { type: "boolean", description: "Everything that is stored" },
      details: {
        type: "boolean",
        default: true,
        description: "With --html: tool traffic too",
        negativeDescription: "With --html: only what was said",
      },
      output: { type: "string", alias: "o", description: "Write to this file instead of stdout", valueHint: "file" },
      force: { type: "boolean", description: "Replace the file where there is one" },
    },
    async run({ args }) {
      if (scopes.filter((name) => args[name] !== undefined).length > 1)
        throw new UsageError("export takes one of --session, --thread, --project, --transcript and --all");
      if (!args.html && (args.thread !== undefined || !args.details))
        throw new UsageError("--thread and --no-details go with --html");
      if (args.force && args.output === undefined) throw new UsageError("--force goes with --output");
      const { db, session } =
        args.transcript === undefined ? { db: openForReading(env) } : readTranscript(env, args.transcript);
      using _ = db;
      const given: Args = session === undefined ? args : { session: session.sessionId };
      const print = args.html
        ? await pagePrinter(db, env, given, args.details)
        : linePrinter(db, env, given.all ? "all" : scopeOf(db, env, given));
      await writeTo(env, args.output, args.force === true, print);
    },
  });

function scopeOf(db: Database, env: Env, { session, project }: Args): ExportScope {
  if (session !== undefined) return { session: (findScope(db, env, session)?.session?.sessionId ?? session) as string };
  const projectId =
    project === undefined ? findScope(db, env, undefined)?.projectId : findProject(db, projectPath(project));
  if (projectId === undefined) throw new UsageError(`nothing is stored for the project ${project ?? env.cwd}`);
  return { projectId };
}

type Print = (write: Write) => Promise<void>;

async function pagePrinter(db: Database, env: Env, args: Args, details: boolean): Promise<Print> {
  const { exportPage } = await import("./export-page.ts");
  const stretches = args.all
    ? stretchesOf(db, "all")
    : args.session === undefined && args.project === undefined
      ? stretchesOfThread(db, threadEnd(db, env, args.thread))
      : stretchesOf(db, scopeOf(db, env, args));
  return (write) => exportPage(db, env, stretches, { program: `Throughline ${programVersion()}`, details }, write);
}

function threadEnd(db: Database, env: Env, named: string | undefined): Session {
  const session = findScope(db, env, named)?.session;
  if (!session) throw new UsageError(`nothing is stored for the project ${env.cwd}`);
  return session;
}

function linePrinter(db: Database, env: Env, scope: ExportScope): Print {
  return async (write) => {
    const print = (line: unknown) => write(`${printableJson(line)}\n`);
    await print({ type: "export", version: formatVersion, exported_at: env.now() });
    for (const { row, ...session } of exportSessions(db, scope)) {
      await print(session);
      const masks = masksOf(readSettings(env, () => session.project).config);
      for (const turn of exportTurns(db, { row, id: session.id })) await print(maskExport(turn, masks));
    }
  };
}

// What was stored before masks were there, or while they were off, does not leave either.
function maskExport(turn: ExportedTurn, masks: Masks): ExportedTurn {
  return { ...maskTurn(turn, masks), prompt: turn.prompt.map(masks.words), answer: turn.answer.map(masks.words) };
}
