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
import { findScope, openForReading } from "./scope.ts";
import { readTranscript } from "./transcript-store.ts";
import { UsageError } from "./usage.ts";

/** The version of the format that docs/export.md describes. */
const formatVersion = 1;

/** `throughline export`: sessions and turns as JSON lines, enough to rebuild a store from. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "export",
      description: "Print sessions and turns as JSON lines: this project's, or what an option names",
    },
    args: {
      session: { type: "string", description: "Only this session", valueHint: "id" },
      project: { type: "string", description: "The project at this folder", valueHint: "dir" },
      transcript: {
        type: "string",
        description: "What this transcript file holds; the store is not touched",
        valueHint: "file",
      },
      all: { type: "boolean", description: "Everything that is stored" },
    },
    async run({ args }) {
      const named = [args.session, args.project, args.transcript, args.all].filter((arg) => arg !== undefined).length;
      if (named > 1) throw new UsageError("export takes one of --session, --project, --transcript and --all");
      if (args.transcript !== undefined) {
        const { db, session } = readTranscript(env, args.transcript);
        using _ = db;
        return await printExport(db, env, { session: session.sessionId });
      }
      using db = openForReading(env);
      await printExport(db, env, args.all ? "all" : scopeOf(db, env, args.session, args.project));
    },
  });

function scopeOf(db: Database, env: Env, session: string | undefined, project: string | undefined): ExportScope {
  if (session !== undefined) return { session: (findScope(db, env, session)?.session?.sessionId ?? session) as string };
  const projectId =
    project === undefined ? findScope(db, env, undefined)?.projectId : findProject(db, projectPath(project));
  if (projectId === undefined) throw new UsageError(`nothing is stored for the project ${project ?? env.cwd}`);
  return { projectId };
}

async function printExport(db: Database, env: Env, scope: ExportScope): Promise<void> {
  const out = Bun.stdout.writer();
  const print = async (line: unknown) => {
    await out.write(`${printableJson(line)}\n`);
  };
  await print({ type: "export", version: formatVersion, exported_at: env.now() });
  for (const { row, ...session } of exportSessions(db, scope)) {
    await print(session);
    const masks = masksOf(readSettings(env, () => session.project).config);
    for (const turn of exportTurns(db, { row, id: session.id })) {
      await print(maskExport(turn, masks));
      await out.flush();
    }
  }
  await out.end();
}

// What was stored before masks were there, or while they were off, does not leave either.
function maskExport(turn: ExportedTurn, masks: Masks): ExportedTurn {
  return { ...maskTurn(turn, masks), prompt: turn.prompt.map(masks.words), answer: turn.answer.map(masks.words) };
}
