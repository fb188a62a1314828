import { readConfig } from "../config.ts";
import { ingest } from "../ingest.ts";
import { databaseFile } from "../paths.ts";
import { openStore } from "../store/open.ts";
import { serveSession } from "../store/sessions.ts";
import type { Hook } from "./hook.ts";
import { parseInput, schemas } from "./input.ts";
import { clientOf, counts, recordSession } from "./session.ts";

/** Bytes after which the WAL, then long, is folded in at once by an orderly close. */
const longReading = 1_000_000;

/** Stop: stores what the transcript holds beyond the checkpoint. Says nothing: what an async hook prints goes to the model. */
const stop: Hook = (env, stdin) => {
  const input = parseInput(schemas.stop, stdin);
  if (!input) return undefined;
  const config = readConfig(env);
  const db = openStore(databaseFile(env));
  const session = recordSession(db, env, input);
  if (!counts(env, config)) return undefined;
  const client = clientOf(env);
  if (client && session.endedAt === null) serveSession(db, client, session.id, env.now());
  const path = input.transcript_path ?? session.transcriptPath;
  if (!path) throw new Error("the event names no transcript");
  const { found, bytes } = ingest(db, session.id, path, { now: env.now(), zoneOffset: env.zoneOffset });
  if (!found) throw new Error(`the transcript is missing: ${path}`);
  if (bytes > longReading) db.close();
  return undefined;
};

export default stop;
