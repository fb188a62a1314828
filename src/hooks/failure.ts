import { constants, mkdirSync, writeFileSync } from "node:fs";
import { isRepairTried } from "../backups/lock.ts";
import type { Env } from "../env.ts";
import { complain } from "../output.ts";
import { checkFolder } from "../ownership.ts";
import { databaseFile, dataFolder, lastErrorFile } from "../paths.ts";
import { mayBeDamage } from "../store/damage.ts";
import { saveFailure } from "../store/failures.ts";
import { openStore } from "../store/open.ts";

/**
 * Reports what a hook could not do: one line on stderr and exit code 1, and, as nobody sees the stderr of an async hook,
 * a row in the store or, where that is what failed, the file `last-error`. Parts 2 to 8 of a start are silent.
 * Returns the exit code.
 */
export async function reportFailure(env: Env, name: string, args: readonly string[], error: unknown): Promise<0 | 1> {
  const message = (error instanceof Error ? error.message : String(error)).replace(/[\s\p{Cc}]+/gu, " ").trim();
  keep(env, name, message);
  // Until that is done hooks store nothing, and then what they missed is read from the transcripts.
  if (mayBeDamage(error) && !isRepairTried(env)) env.startAgain(["worker", "repair"], { THROUGHLINE_WORKER: "1" });
  const isSilentPart = name === "session-start" && args.includes("--part") && args[args.indexOf("--part") + 1] !== "1";
  if (isSilentPart) return 0;
  await complain(`throughline hook ${name}: ${message}\n`);
  return 1;
}

function keep(env: Env, event: string, message: string): void {
  const failure = { at: env.now(), event, message };
  try {
    using db = openStore(databaseFile(env));
    db.run("pragma busy_timeout = 50");
    saveFailure(db, { ...failure, sessionId: env.vars.CLAUDE_CODE_SESSION_ID });
  } catch (storeError) {
    keepInFile(env, { ...failure, store: String(storeError) });
  }
}

// A link in the file's place is not followed: it is nobody's who may write here. A pipe would wait for a reader.
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const anew = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK;

// Where not even that can be written, the line on stderr is all there is.
function keepInFile(env: Env, failure: Record<string, unknown>): void {
  try {
    checkFolder(dataFolder(env));
    mkdirSync(dataFolder(env), { recursive: true, mode: 0o700 });
    writeFileSync(lastErrorFile(env), `${JSON.stringify(failure)}\n`, { mode: 0o600, flag: anew as unknown as "w" });
  } catch (error) {
    if (!(error instanceof Error && ("code" in error || error.name === "ForeignError"))) throw error;
  }
}
