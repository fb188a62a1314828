import type { Database } from "bun:sqlite";
import { defineCommand } from "citty";
import { readConfig } from "../config.ts";
import type { Env } from "../env.ts";
import { ingest } from "../ingest.ts";
import { printText } from "../output.ts";
import { databaseFile } from "../paths.ts";
import { findPredecessor, type Telling, tellSuccessor } from "../restore.ts";
import type { Predecessor } from "../store/lineage.ts";
import { openStore } from "../store/open.ts";
import { projectPathOf } from "../store/projects.ts";
import { getSession } from "../store/sessions.ts";
import { findScope } from "./scope.ts";
import { readTranscript } from "./transcript-store.ts";
import { UsageError } from "./usage.ts";

/** `throughline preview`: what the next session would be told. Changes nothing. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "preview",
      description: "Show what the next session of this project would be told, without changing anything",
    },
    args: {
      session: { type: "string", description: "What the successor of this session would be told", valueHint: "id" },
      transcript: { type: "string", description: "What would be told after this transcript", valueHint: "file" },
    },
    async run({ args }) {
      if (args.session && args.transcript) throw new UsageError("preview takes --session or --transcript, not both");
      const telling = args.transcript ? ofTranscript(env, args.transcript) : ofStore(env, args.session);
      const text = telling
        ? telling.parts.map((part) => part.text).join("\n\n")
        : "The next session would be told nothing: no turn is stored for this project.";
      await printText(`${text}\n`);
    },
  });

function ofTranscript(env: Env, file: string): Telling | undefined {
  const { db, session } = readTranscript(env, file);
  using _ = db;
  return tellSuccessor(db, env, { session, reason: "exact" });
}

// In a transaction that is rolled back: the predecessor's transcript is caught up as a real start would, and nothing stays.
function ofStore(env: Env, named: string | undefined): Telling | undefined {
  using db = openStore(databaseFile(env));
  db.run("begin immediate");
  try {
    const predecessor = choose(db, env, named);
    if (!predecessor) return undefined;
    const { session } = predecessor;
    if (session.transcriptPath)
      ingest(db, session.id, session.transcriptPath, { now: env.now(), zoneOffset: env.zoneOffset });
    return tellSuccessor(db, env, { ...predecessor, session: getSession(db, session.id) });
  } finally {
    db.run("rollback");
  }
}

function choose(db: Database, env: Env, named: string | undefined): Predecessor | undefined {
  const scope = findScope(db, env, named);
  if (!scope) return undefined;
  const isCaller = scope.session?.sessionId === env.vars.CLAUDE_CODE_SESSION_ID;
  if (scope.session && (named !== undefined || isCaller)) return { session: scope.session, reason: "exact" };
  return findPredecessor(db, env, scope.projectId, 0, undefined, readConfig(env, projectPathOf(db, scope.projectId)));
}
