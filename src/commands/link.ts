import type { Database } from "bun:sqlite";
import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { findNewestOther, linkSession } from "../store/lineage.ts";
import { findByPrefix, type Session } from "../store/sessions.ts";
import { findScope, openForWriting } from "./scope.ts";
import { UsageError } from "./usage.ts";

/** `throughline link [session]`: this session continues that one, by hand. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "link",
      description: "Let this session continue another one, without a name the newest other one of the project",
    },
    args: {
      session: {
        type: "positional",
        required: false,
        description: "The session to continue: its id or the beginning of it (see `throughline sessions`)",
      },
    },
    async run({ args }) {
      using db = openForWriting(env);
      const own = findScope(db, env, undefined)?.session;
      if (!own) throw new UsageError("there is no session in this folder that could continue another one");
      const other = args.session === undefined ? findNewestOther(db, own) : findNamed(db, args.session);
      if (!other)
        throw new UsageError(
          "there is no other session with a turn in this project; name one of another project by its id",
        );
      const isLinked = db
        .transaction(() => linkSession(db, own, { session: other, reason: "hand" }, env.now(), env.now()))
        .immediate();
      if (!isLinked) throw new UsageError(`session ${other.sessionId} itself continues ${own.sessionId}`);
      await printText(
        `Session ${own.sessionId} continues ${other.sessionId} now.\n` +
          "The next session will be told both. To tell this one: /throughline:restore\n",
      );
    },
  });

/** The session whose id begins so; exactly one must. */
export function findNamed(db: Database, prefix: string): Session {
  const [session, ...others] = findByPrefix(db, prefix);
  if (!session) throw new UsageError(`no session ${prefix} is stored; see \`throughline sessions\``);
  if (others.length > 0 && session.sessionId !== prefix)
    throw new UsageError(`more than one session begins with ${prefix}`);
  return session;
}
