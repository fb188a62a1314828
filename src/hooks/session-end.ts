import { databaseFile } from "../paths.ts";
import { isBackupDue } from "../store/notices.ts";
import { openStore } from "../store/open.ts";
import { endService, endSession, getSession, hasTurns } from "../store/sessions.ts";
import { wantLines } from "../summaries.ts";
import { catchUp } from "./catch-up.ts";
import { joinFork } from "./fork.ts";
import type { Hook } from "./hook.ts";
import { parseInput, shapes } from "./input.ts";
import { clientOf, isAttended, recordSession } from "./session.ts";
import { settingsOf } from "./settings.ts";

/** The client ends SessionEnd hooks after 1.5 s; what is not read by then waits for the next event. */
const readingTime = 1_000;

/** SessionEnd: notes which client process ended the session, then stores what the transcript still holds. */
const sessionEnd: Hook = (env, stdin) => {
  const input = parseInput(shapes.sessionEnd, stdin);
  if (!input) return undefined;
  const started = env.now();
  // Closed in order, unlike the other hooks' database: once a session its WAL is folded in.
  using db = openStore(databaseFile(env));
  const session = recordSession(db, env, input);
  const client = clientOf(env);
  if (client) endService(db, client, session.id, started);
  endSession(db, session.id, input.reason ?? "other", started);
  const config = settingsOf(db, env, input);
  if (!isAttended(env, config)) return undefined;
  const isYoung = !hasTurns(db, session.id, 2);
  catchUp(db, env, session, readingTime);
  joinFork(db, env, session, isYoung);
  if (config.capture === "on") wantLines(db, env, config, getSession(db, session.id), true);
  if (config.backups > 0 && isBackupDue(db, env.now())) env.startAgain(["worker"], { THROUGHLINE_WORKER: "1" });
  return undefined;
};

export default sessionEnd;
