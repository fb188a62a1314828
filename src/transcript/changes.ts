import type { Change, Role, TurnChange } from "../types.ts";
import { type Media, mediaText } from "./media.ts";
import { removeNoise } from "./noise.ts";

/** The change for a turn that is already open: the newest one in this stretch, or the first that this stretch says of it. */
export function changeOf(changes: Change[], uuid: string): TurnChange {
  const last = changes.findLast((change) => change.type === "turn" && change.turn.uuid === uuid);
  if (last?.type === "turn") return last.turn;
  const change: TurnChange = { uuid, messages: [], withdrawn: [], details: [] };
  changes.push({ type: "turn", turn: change });
  return change;
}

/** Adds what somebody said to a turn; noise alone is nothing. */
export function say(change: TurnChange, sourceId: string, at: number, role: Role, raw: string): void {
  const text = removeNoise(raw);
  if (text.trim() !== "") change.messages.push({ sourceId, role, at, text });
}

/** Adds the placeholders of images and documents to a turn. */
export function addMedia(change: TurnChange, id: string, at: number, media: readonly Media[]): void {
  media.forEach((item, n) => {
    change.details.push({
      sourceId: `${id}:image${n || ""}`,
      kind: "image",
      tool: item.type,
      at,
      output: mediaText(item),
    });
  });
}

/** Takes a message back that turned out to be said elsewhere. */
export function withdraw(changes: Change[], turnUuid: string, sourceId: string): void {
  const change = changeOf(changes, turnUuid);
  change.messages = change.messages.filter((message) => message.sourceId !== sourceId);
  change.withdrawn.push(sourceId);
}
