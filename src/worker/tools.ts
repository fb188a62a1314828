import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import { masksOf } from "../mask/masks.ts";
import { pauseWorker } from "../store/worker.ts";
import { permit } from "../summarize/account.ts";
import { readAccount } from "./account.ts";
import { findClient } from "./locate.ts";
import type { RunTools } from "./run.ts";

const hour = 3_600_000;

/**
 * What a run needs: the client, and the right to use the person's account.
 * @returns `undefined` where one of them is missing; that is noted, and nobody tries again for an hour
 */
export function readyTools(
  db: Database,
  env: Env,
  config: Config,
  mode: "login" | "any",
  time: number,
): RunTools | undefined {
  const until = env.now() + hour;
  const permission = permit(mode, readAccount(env));
  if ("refused" in permission) {
    pauseWorker(db, { until, reason: permission.refused, detail: permission.detail });
    return undefined;
  }
  const client = findClient(env, config);
  if (!client) {
    pauseWorker(db, { until, reason: "no-client", detail: config.claude || null });
    return undefined;
  }
  return { client, model: config.summary_model, time, masks: masksOf(config), ...permission };
}
