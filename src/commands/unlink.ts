import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { quoted } from "../install/quote.ts";
import { printText } from "../output.ts";
import { unlinkSession } from "../store/lineage.ts";
import { getSession } from "../store/sessions.ts";
import { findScope, openForWriting } from "./scope.ts";
import { UsageError } from "./usage.ts";

/** `throughline unlink`: this session continues nothing. */
export default (env: Env) =>
  defineCommand({
    meta: { name: "unlink", description: "Let this session continue no other one" },
    async run() {
      using db = openForWriting(env);
      const own = findScope(db, env, undefined)?.session;
      if (!own) throw new UsageError("there is no session in this folder");
      if (own.predecessorId === null) return await printText(`Session ${own.sessionId} continues no other session.\n`);
      const before = getSession(db, own.predecessorId).sessionId;
      db.transaction(() => unlinkSession(db, own, env.now())).immediate();
      await printText(
        `Session ${own.sessionId} no longer continues ${before}: the next session will not be told of it.\n` +
          `What this one was told stays in its context; /clear takes it out. To undo: throughline link ${quoted([before])}\n`,
      );
    },
  });
