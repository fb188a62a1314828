import type { Database } from "bun:sqlite";
import type { Strings } from "../context/strings.ts";
import type { Env } from "../env.ts";
import { beginning, hasSeenStart, markTold, wasTold } from "../store/notices.ts";
import { markPauseTold, readPause } from "../store/worker.ts";
import { permit } from "../summarize/account.ts";
import { readAccount } from "./account.ts";

const keyOnly = "lines need a login";

/** Whether a first run may be made: not before the person was told, where anybody could have been told. */
export const mayBegin = (db: Database): boolean => wasTold(db, beginning) || !hasSeenStart(db);

/**
 * What the person is told of lines at a start: once what will happen and how to stop it; later what is in the way, once
 * for each reason. Without a login there is nothing to announce; that lines are off is told once some are wanted.
 */
export function tellLines(db: Database, env: Env, mode: "login" | "any", say: Strings): string | undefined {
  const now = env.now();
  if (!wasTold(db, beginning) && !("refused" in permit(mode, readAccount(env)))) {
    markTold(db, beginning, now);
    return say.linesBegin(mode);
  }
  const pause = readPause(db);
  if (!pause || pause.toldAt !== null || pause.reason === "cap" || pause.reason === "unreachable") return undefined;
  if (pause.reason === "no-login" && wasTold(db, keyOnly)) return undefined;
  markPauseTold(db, now);
  if (pause.reason === "no-login") markTold(db, keyOnly, now);
  return say.linesPaused(pause.reason, pause.detail ?? "");
}
