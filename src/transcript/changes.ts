import type { Change, Detail, Role, TurnChange } from "../types.ts";
import type { Base } from "./entry.ts";
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

/** Takes a turn back; what this stretch said of it is as good as never said. */
export function dropTurn(changes: Change[], uuid: string): void {
  const others = changes.filter((change) => change.type !== "turn" || change.turn.uuid !== uuid);
  changes.splice(0, changes.length, ...others, { type: "drop", uuid });
}

/** Gives all that was filed under a turn to another one; what is said of that from now on comes behind it. */
export function mergeTurn(changes: Change[], uuid: string, into: string): void {
  const after: TurnChange = { uuid: into, messages: [], withdrawn: [], details: [] };
  changes.push({ type: "merge", uuid, into }, { type: "turn", turn: after });
}

/** Where something was said: the line's uuid and time, and whether the line is a fork's copy. */
export type Source = Pick<Base, "uuid" | "at" | "copied">;

/** The mark of a fork's copy, for what comes from the same line. */
export const copyMark = ({ copied }: Source) => (copied ? { copied } : {});

/** Takes details back that belong to another turn. */
export function withdrawDetails(changes: Change[], turnUuid: string, details: readonly Detail[]): void {
  const change = changeOf(changes, turnUuid);
  const ids = details.map(({ sourceId }) => sourceId);
  change.details = change.details.filter(({ sourceId }) => !ids.includes(sourceId));
  change.withdrawnDetails = [...(change.withdrawnDetails ?? []), ...ids];
}

/** Adds what somebody said to a turn. Noise alone is nothing, unless a person typed it. */
export function say(change: TurnChange, { uuid, at, copied }: Source, role: Role, raw: string): void {
  const text = removeNoise(raw) || (role === "user" ? Bun.stripANSI(raw).toWellFormed().trim() : "");
  if (text.trim() === "") return;
  change.messages.push({ sourceId: uuid, role, at, text, ...(copied ? { copied } : {}) });
}

/** Adds the texts of one line, which has one uuid. */
export function sayAll(change: TurnChange, source: Source, role: Role, texts: readonly string[]): void {
  texts.forEach((text, n) => {
    say(change, n === 0 ? source : { ...source, uuid: `${source.uuid}:${n}` }, role, text);
  });
}

/** Adds the placeholders of images and documents to a turn. */
export function addMedia(change: TurnChange, { uuid, at, copied }: Source, media: readonly Media[]): void {
  media.forEach((item, n) => {
    change.details.push({
      sourceId: `${uuid}:image${n || ""}`,
      kind: "image",
      tool: item.type,
      at,
      output: mediaText(item),
      ...(copied ? { copied } : {}),
    });
  });
}

/** Takes a message back that turned out to be said elsewhere. */
export function withdraw(changes: Change[], turnUuid: string, sourceId: string): void {
  const change = changeOf(changes, turnUuid);
  change.messages = change.messages.filter((message) => message.sourceId !== sourceId);
  change.withdrawn.push(sourceId);
}
