import type { Change, TurnChange } from "../types.ts";
import { changeOf, say, withdraw } from "./changes.ts";
import { mostRemembered, type Of, type Reading } from "./reading.ts";

/** Follows the queue of texts that a person types while Claude is working. */
export function followQueue(reading: Reading, changes: Change[], entry: Of<"queue">): void {
  if (entry.operation === "popAll") return withdrawAll(reading, changes);
  const text = entry.text?.trim() ?? "";
  if (entry.operation !== "enqueue" || text === "" || text.startsWith("<") || text.startsWith("/")) return;
  if (reading.queued.some((queued) => queued.text === text)) return;
  const queued = { text, sourceId: `queue:${Bun.hash(text).toString(16)}`, at: entry.at, turnUuid: null };
  reading.queued = [...reading.queued, queued].slice(-mostRemembered);
  if (reading.turn) sayQueued(reading, changeOf(changes, reading.turn.uuid));
}

/** Says the texts that were queued before there was a turn to say them in. */
export function sayQueued(reading: Reading, change: TurnChange): void {
  reading.queued = reading.queued.map((queued) => {
    if (queued.turnUuid !== null) return queued;
    say(change, { uuid: queued.sourceId, at: queued.at }, "user", queued.text);
    return { ...queued, turnUuid: change.uuid };
  });
}

/** A queued text counts where it came back: as a prompt, as whole lines of one, or as a note beside a tool result. */
export function withdrawQueued(reading: Reading, changes: Change[], text: string): void {
  const lines = `\n${text.trim()}\n`;
  const back = reading.queued.filter((queued) => lines.includes(`\n${queued.text}\n`));
  if (back.length === 0) return;
  reading.queued = reading.queued.filter((queued) => !back.includes(queued));
  for (const queued of back) if (queued.turnUuid) withdraw(changes, queued.turnUuid, queued.sourceId);
}

function withdrawAll(reading: Reading, changes: Change[]): void {
  for (const queued of reading.queued) if (queued.turnUuid) withdraw(changes, queued.turnUuid, queued.sourceId);
  reading.queued = [];
}
