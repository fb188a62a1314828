import type { Database } from "bun:sqlite";
import { type Config, plainLanguage } from "../config.ts";
import { type Strings, strings } from "../context/strings.ts";
import type { Env } from "../env.ts";
import { failAt } from "../faults.ts";
import { databaseFile } from "../paths.ts";
import { openStore } from "../store/open.ts";
import {
  claimRestore,
  markEmitted,
  type Restore,
  readRestore,
  readSlice,
  readSlicesBefore,
  type Slice,
  takeSlice,
} from "../store/restores.ts";
import { findSession, getSession, serveSession } from "../store/sessions.ts";
import { tellOfLines, wantLines } from "../summaries.ts";
import { compactNote } from "./compact.ts";
import type { Hook } from "./hook.ts";
import { parseInput, type SessionStartInput, shapes } from "./input.ts";
import { prepareRestore } from "./prepare.ts";
import { clientOf, counts, recordSession } from "./session.ts";
import { settingsOf } from "./settings.ts";
import { tellTrouble } from "./trouble.ts";

/** How long a part waits for the slices to be prepared: the catch-up's second and what comes after it. */
const preparationTime = 3_000;
const pollEvery = 2;

/**
 * SessionStart, one of eight processes (`--part k`): whichever is first prepares what the new session is told, the
 * others read their slice. They exit in order, because the client places what hooks say in the order of their exits.
 * Part 1 alone speaks to the person.
 */
const sessionStart: Hook = async (env, stdin, args) => {
  const input = parseInput(shapes.sessionStart, stdin);
  if (!input) return undefined;
  const part = partOf(args);
  const db = openStore(databaseFile(env));
  if (input.source === "clear" || input.source === "startup") return await startPart(db, env, input, part);
  if (part !== 1) return undefined;
  const config = settingsOf(db, env, input);
  const session = recordSession(db, env, input);
  const client = clientOf(env);
  if (client) serveSession(db, client, session.id, env.now());
  const say = strings[plainLanguage(config)];
  const context = input.source === "compact" && counts(env, config) ? compactNote(db, session, env, say) : undefined;
  if (counts(env, config)) wantLines(db, env, config, session, false);
  return output(context, await tellPerson(db, env, config, null));
};

export default sessionStart;

function partOf(args: readonly string[]): number {
  const part = Number(args[args.indexOf("--part") + 1]);
  return Number.isInteger(part) && part >= 1 && part <= 8 ? part : 1;
}

async function startPart(db: Database, env: Env, input: SessionStartInput, part: number): Promise<string | undefined> {
  const config = settingsOf(db, env, input);
  if (!counts(env, config)) {
    if (part === 1) recordSession(db, env, input);
    return undefined;
  }
  const restore = await preparedRestore(db, env, input, config);
  const slice = readSlice(db, restore.sessionId, part);
  const taken = slice !== undefined && takeSlice(db, restore.sessionId, part, env.pid);
  if (taken) failAt(env, `part:${part}`);
  const missing = taken && part > 1 ? await partsBefore(db, env, slice, strings[plainLanguage(config)]) : undefined;
  if (taken) markEmitted(db, restore.sessionId, part, env.now());
  const context = taken ? [missing, slice.text].filter(Boolean).join("\n") : undefined;
  if (part > 1) return output(context, undefined);
  const notice = taken || restore.parts === 0 ? restore.notice : null;
  const message = await tellPerson(db, env, config, notice);
  const { predecessorId } = getSession(db, restore.sessionId);
  if (predecessorId !== null) wantLines(db, env, config, getSession(db, predecessorId), true);
  return output(context, message);
}

async function tellPerson(db: Database, env: Env, config: Config, notice: string | null): Promise<string | undefined> {
  const say = strings[plainLanguage(config)];
  const told = [notice, tellTrouble(db, env, say), await tellOfLines(db, env, config, say)];
  return told.filter(Boolean).join("\n") || undefined;
}

/** The finished restore: prepared by the first process that claims it, or by another one when that one died. */
async function preparedRestore(db: Database, env: Env, input: SessionStartInput, config: Config): Promise<Restore> {
  const deadline = env.now() + preparationTime;
  const isGone = (pid: number) => !env.exists(pid);
  for (;;) {
    const known = findSession(db, input.session_id);
    const restore = known && readRestore(db, known.id);
    if (restore?.finishedAt) return restore;
    if (!restore || isGone(restore.leaderPid)) {
      const session = recordSession(db, env, input);
      if (claimRestore(db, session.id, env.pid, env.now(), isGone))
        prepareRestore(db, env, session, input.source ?? undefined, config);
    } else {
      if (env.now() > deadline) throw new Error("what the session is to be told was not ready in time");
      await Bun.sleep(pollEvery);
    }
  }
}

/**
 * Waits until the processes of all parts before are gone, that is, until the client has taken what they said. The bound
 * grows with the part: with one bound for all, a part that crashes would make the later ones overtake each other.
 * Returns what to say when the part just before never spoke.
 */
async function partsBefore(db: Database, env: Env, own: Slice, say: Strings): Promise<string | undefined> {
  const deadline = env.now() + 300 + 60 * own.part;
  for (;;) {
    const before = readSlicesBefore(db, own.sessionId, own.part);
    const allGone = before.every(({ pid }) => pid !== null && !env.exists(pid));
    if (allGone || env.now() > deadline) {
      const last = before.at(-1);
      if (!last || last.emittedAt !== null) return undefined;
      return say.missingPart(last.part, [last.firstAt, own.firstAt].filter(Boolean).join("-"));
    }
    await Bun.sleep(pollEvery);
  }
}

function output(context: string | undefined, systemMessage: string | undefined): string | undefined {
  if (context === undefined && systemMessage === undefined) return undefined;
  return JSON.stringify({
    ...(systemMessage === undefined ? {} : { systemMessage }),
    ...(context === undefined
      ? {}
      : { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: context } }),
  });
}
