import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import type { Ingested } from "../ingest.ts";
import { masksOf } from "../mask/masks.ts";
import { databaseFile } from "../paths.ts";
import { holdsAnswer, saveAnswerOnly } from "../store/answers.ts";
import { walkThread } from "../store/lineage.ts";
import { openStore } from "../store/open.ts";
import { getSession, hasTurns, noteService, type Session, serveSession } from "../store/sessions.ts";
import { wantLines } from "../summaries.ts";
import { removeNoise } from "../transcript/noise.ts";
import { catchUp } from "./catch-up.ts";
import { joinFork } from "./fork.ts";
import type { Hook } from "./hook.ts";
import { parseInput, type StopInput, shapes } from "./input.ts";
import { clientOf, isAttended, recordSession } from "./session.ts";
import { settingsOf } from "./settings.ts";
import { sweep } from "./sweep.ts";

/** Bytes after which the WAL, then long, is folded in at once by an orderly close. */
const longReading = 1_000_000;
/** How long the transcript may lag behind the answer that the event tells; what is not there by then waits. */
const lagTime = 2_000;
const pollEvery = 25;

/** Stop: stores what the transcript holds beyond the checkpoint. Says nothing: what an async hook prints goes to the model. */
const stop: Hook = async (env, stdin) => {
  const input = parseInput(shapes.stop, stdin);
  if (!input) return undefined;
  const db = openStore(databaseFile(env));
  const session = recordSession(db, env, input);
  const config = settingsOf(db, env, input);
  if (!isAttended(env, config)) return undefined;
  const client = clientOf(env);
  if (client && session.endedAt === null) noteService(db, client, session.id, env.now());
  if (config.capture === "off") {
    catchUp(db, env, session);
    return undefined;
  }
  const answer = input.hook_event_name === "Stop" ? answerOf(input, config) : "";
  const isYoung = !hasTurns(db, session.id, 2);
  const { found, bytes } = await readUntil(db, env, session, answer);
  if (!found) {
    keepAnswer(db, env, session, answer, input);
    throw new Error(`the transcript is missing: ${session.transcriptPath ?? "the event names none"}`);
  }
  if (client && session.endedAt !== null && wentOn(db, session)) serveSession(db, client, session.id, env.now());
  if (isYoung || session.linkReason === null) joinFork(db, env, session, isYoung);
  if (isYoung) readRest(db, env, session);
  sweep(db, env);
  wantLines(db, env, config, getSession(db, session.id), false);
  if (bytes > longReading) db.close();
  return undefined;
};

export default stop;

// As it is stored.
const answerOf = (input: StopInput, config: Config): string =>
  input.last_assistant_message ? masksOf(config).words(removeNoise(input.last_assistant_message)).trim() : "";

// Counted in tries, so that a clock that jumps cannot hold it up.
async function readUntil(db: Database, env: Env, session: Session, answer: string): Promise<Ingested> {
  let bytes = 0;
  for (let waited = 0; ; waited += pollEvery) {
    const read = catchUp(db, env, session);
    bytes += read.bytes;
    if (!read.found || answer === "" || holdsAnswer(db, session, answer) || waited >= lagTime)
      return { ...read, bytes };
    await Bun.sleep(pollEvery);
  }
}

// A session that was ended and resumed, without a word of the resuming.
function wentOn(db: Database, session: Session): boolean {
  const newest = walkThread(db, session).next().value;
  return newest?.sessionId === session.id && newest.startedAt > (session.endedAt ?? 0);
}

// A client may write a session's last lines after it began the next one: at that one's first answer they are there.
function readRest(db: Database, env: Env, session: Session): void {
  if (session.predecessorId !== null) catchUp(db, env, getSession(db, session.predecessorId));
}

function keepAnswer(db: Database, env: Env, session: Session, answer: string, input: StopInput): void {
  if (answer === "") return;
  const options = { now: env.now(), zoneOffset: env.zoneOffset };
  saveAnswerOnly(db, session, answer, input.prompt_id ?? undefined, options);
}
