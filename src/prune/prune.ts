import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import { databaseFile } from "../paths.ts";
import { reclaim } from "../store/erase.ts";
import { saveFailure } from "../store/failures.ts";
import { markTold, timeOfNotice, wasTold } from "../store/notices.ts";
import { type Layer, pruneOlder, pruneToSize } from "../store/prune.ts";

/** What is to go; absent is no bound. */
export interface Bounds {
  /** Turns that began before, UTC milliseconds. */
  before?: number;
  layer: Layer;
  /** Bytes that the database may have. */
  most?: number;
}

/** Takes what is too old or too much, and gives the room back to the system; returns from how many turns. */
export function prune(db: Database, { before, layer, most }: Bounds): number {
  const older = before === undefined ? 0 : pruneOlder(db, before, layer);
  const more = most === undefined ? 0 : pruneToSize(db, most);
  if (older + more > 0) reclaim(db);
  return older + more;
}

const day = 86_400_000;
const megabyte = 1_000_000;
/** From here on a person is told once that the file is large. */
export const large = 5_000 * megabyte;
const lastPrune = "prune";
const isLarge = "large";

/** Does once a day what the settings say of old turns; where they say nothing, tells once of a file that has grown large. */
export function pruneDaily(db: Database, env: Env, config: Config): void {
  const now = env.now();
  if (now - (timeOfNotice(db, lastPrune) ?? 0) < day) return;
  markTold(db, lastPrune, now);
  const { prune_after: all, prune_details_after: details, max_size: size } = config;
  if (details > 0) prune(db, { before: now - details * day, layer: "L3" });
  if (all > 0 || size > 0) {
    prune(db, {
      layer: "all",
      ...(all > 0 ? { before: now - all * day } : {}),
      ...(size > 0 ? { most: size * megabyte } : {}),
    });
  }
  const { size: bytes } = statSync(databaseFile(env));
  if (bytes < large || wasTold(db, isLarge)) return;
  markTold(db, isLarge, now);
  const message = `the database has ${(bytes / 1e9).toFixed(1)} GB; \`throughline db prune\` makes it smaller`;
  saveFailure(db, { at: now, event: "size", message });
}
