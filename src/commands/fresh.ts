import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { askFresh } from "../store/fresh.ts";
import { findSession } from "../store/sessions.ts";
import { findScope, openForWriting } from "./scope.ts";
import { UsageError } from "./usage.ts";

/** `throughline fresh`: the next session starts clean: the calling session's successor, or the project's next one. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "fresh",
      description:
        "Let the next session start clean: the successor of the session that asks, or this project's next one",
    },
    async run() {
      using db = openForWriting(env);
      const caller = findSession(db, env.vars.CLAUDE_CODE_SESSION_ID ?? "");
      const projectId = findScope(db, env, undefined)?.projectId;
      if (projectId === undefined)
        throw new UsageError("nothing is stored for this folder: its next session is fresh anyway");
      askFresh(db, caller ? { sessionId: caller.id } : { projectId }, env.now());
      const whose = caller ? "After this session's /clear" : "In this project's next session";
      await printText(
        `${whose} Claude is told nothing of what was said before. It is kept: \`throughline link\` brings it back.\n`,
      );
    },
  });
