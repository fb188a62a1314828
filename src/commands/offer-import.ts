import { withCommas } from "../context/numbers.ts";
import type { Env } from "../env.ts";
import { planImport } from "../imports/files.ts";
import { bytesOf, type Plan } from "../imports/plan.ts";
import { settingsOf } from "../imports/project.ts";
import type { Words } from "../install/words.ts";
import { databaseFile } from "../paths.ts";
import { readCheckpoint } from "../store/checkpoints.ts";
import { holdsEarlier } from "../store/imported.ts";
import { openStoreReadonly } from "../store/open.ts";
import { clientsOf, findSession } from "../store/sessions.ts";
import { agrees } from "./ask.ts";
import type { Commands } from "./commands.ts";
import { secondsFor, sizeText, timeText } from "./import-words.ts";

/**
 * Offers to import what was said before, and has the installed program do it where the person agrees.
 * @throws when the import did not end well
 */
export async function offerImport(
  env: Env,
  commands: Commands,
  program: string,
  words: Words,
  yes: boolean,
): Promise<void> {
  if (!Object.hasOwn(commands, "import")) return;
  const plan = withoutStored(env, await planImport(env, settingsOf(env), []));
  const files = plan.transcripts.length + plan.databases.length;
  if (files === 0) return;
  const bytes = bytesOf(plan);
  const question = words.importTranscripts(withCommas(files), sizeText(bytes), timeText(secondsFor(bytes)));
  if (!(await agrees(question, yes))) return;
  // The question was asked.
  const child = Bun.spawn([program, "import", "--yes"], {
    cwd: env.cwd,
    env: { ...env.vars },
    stdio: ["inherit", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("the import did not end well; `throughline import` goes on with it");
}

// What an earlier installation imported, or hooks have read and go on with, is not offered again.
function withoutStored(env: Env, plan: Plan): Plan {
  using db = openStoreReadonly(databaseFile(env));
  if (!db) return plan;
  return {
    ...plan,
    transcripts: plan.transcripts.filter(({ sessionId, size }) => {
      const session = findSession(db, sessionId);
      if (session === undefined) return true;
      const read = readCheckpoint(db, session.id)?.offset ?? 0;
      return read < size && (read === 0 || clientsOf(db, session.id).length === 0);
    }),
    databases: holdsEarlier(db) ? [] : plan.databases,
  };
}
