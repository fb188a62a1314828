import type { Database } from "bun:sqlite";
import type { Env } from "../env.ts";
import { planImport } from "../imports/files.ts";
import { settingsOf } from "../imports/project.ts";
import { runImport } from "../imports/run.ts";

/** Reads all transcripts of the client again, as far as they are not stored; returns how many turns that gave. */
export async function readAgain(db: Database, env: Env): Promise<number> {
  const settings = settingsOf(env);
  const plan = await planImport(env, settings, []);
  const work = { tick: () => {}, stopped: () => false };
  return (await runImport(db, env, settings, { ...plan, databases: [] }, work)).newTurns;
}
