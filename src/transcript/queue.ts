import type { Change } from "../types.ts";
import { changeOf, say, withdraw } from "./changes.ts";
import { mostRemembered, type Of, type Reading } from "./reading.ts";

/** Follows the queue of texts that a person types while Claude is working. */
export function followQueue(reading: Reading, changes: Change[], entry: Of<"queue">): void {
  if (entry.operation === "popAll") return withdrawAll(reading, changes);
  const text = entry.text?.trim() ?? "";
  if (entry.operation !== "enqueue" || text === "" || text.startsWith("<") || text.startsWith("/")) return;
  if (reading.queued.some((queued) => queued.text === text)) return;
  const sourceId = `queue:${Bun.hash(text).toString(16)}`;
  reading.queued = [...reading.queued, { text, sourceId, turnUuid: reading.turn?.uuid ?? null }].slice(-mostRemembered);
  if (reading.turn) say(changeOf(changes, reading.turn.uuid), sourceId, entry.at, "user", text);
}

/** A queued text counts where it came back: as a prompt, as the part of one, or as a note beside a tool result. */
export function withdrawQueued(reading: Reading, changes: Change[], text: string): void {
  const back = reading.queued.filter((queued) => text.includes(queued.text));
  if (back.length === 0) return;
  reading.queued = reading.queued.filter((queued) => !back.includes(queued));
  for (const queued of back) if (queued.turnUuid) withdraw(changes, queued.turnUuid, queued.sourceId);
}

function withdrawAll(reading: Reading, changes: Change[]): void {
  for (const queued of reading.queued) if (queued.turnUuid) withdraw(changes, queued.turnUuid, queued.sourceId);
  reading.queued = [];
}
