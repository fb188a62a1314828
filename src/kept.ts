import type { Database } from "bun:sqlite";
import type { Config } from "./config.ts";
import { estimateKept } from "./context/kept.ts";
import { lineLength } from "./context/render.ts";
import { fullTurns } from "./context/select.ts";
import { contextTurns } from "./restore.ts";
import { measureThread, walkThread } from "./store/lineage.ts";
import { hasLiveTurn, type Session } from "./store/sessions.ts";
import { readSize } from "./store/sizes.ts";
import type { Size } from "./types.ts";

/** Older turns whose lines are measured; the others count as much. */
const sampledLines = 8;

/**
 * About how many tokens the next session would be told after `/clear`; 0 where it would start clean, as after a `/clear` with
 * nothing said since. Costs as much for a long thread as for a short one.
 * @returns `undefined` where the settings tell nothing
 */
export function estimateKeptTokens(
  db: Database,
  session: Session,
  { inherit, restore_parts: parts }: Pick<Config, "inherit" | "restore_parts">,
): number | undefined {
  if (inherit === "off" || parts === 0) return undefined;
  if (!hasLiveTurn(db, session.id)) return 0;
  const walk = walkThread(db, session);
  const full: Size[] = [];
  while (full.length < fullTurns) {
    const turn = walk.next();
    if (turn.done) return estimateKept(full, 0, parts);
    full.push(readSize(db, turn.value.id));
  }
  const older = measureThread(db, session, Number.MAX_SAFE_INTEGER).turns - full.length;
  const lengths: number[] = [];
  for (const turn of contextTurns(db, walk)) {
    lengths.push(lineLength(turn, turn));
    if (lengths.length === sampledLines) break;
  }
  const mean = lengths.length === 0 ? 0 : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return estimateKept(full, mean * Math.max(0, older), parts);
}
