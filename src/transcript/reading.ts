import type { Detail } from "../types.ts";
import type { AnswerBlock, Entry } from "./entry.ts";

/** An entry of one kind. */
export type Of<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;

/** The most that any list of the reading holds: it is written at every event. */
export const mostRemembered = 200;

/** The turn that lines belong to until the next prompt. */
export interface OpenTurn {
  uuid: string;
  parentUuid: string | null;
  promptStart: string;
  answered: boolean;
  /** The time of its first line where that was no prompt, UTC milliseconds. */
  headlessAt: number | null;
}

/** A text in the queue, or taken out of it and not come back. */
export interface Queued {
  /** Empty where it is nobody's words. */
  text: string;
  sourceId: string;
  /** UTC milliseconds. */
  at: number;
  /** The turn that says it. */
  turnUuid: string | null;
  /** How it left the queue. */
  left: "dequeue" | "remove" | null;
}

/** What the reader carries from one stretch of a transcript to the next: plain data, kept in the checkpoint. */
export interface Reading {
  /** The newest turn is always open. */
  turn: OpenTurn | null;
  /** The uuids of the lines of the tree since the last one of the conversation, that one first. */
  lead: string[];
  /** Hashes of the newest prompts' uuids. */
  prompts: string[];
  /** A slash command without arguments: a turn only if something answers it. */
  command: Of<"command"> | null;
  /** Texts typed while Claude was working that have not come back as a prompt. */
  queued: Queued[];
  /** The newest `!command`: what was kept of it, and in which turn. */
  shell: { uuid: string; turnUuid: string | null; details: Detail[] } | null;
  /** The answer's newest block. */
  block: AnswerBlock | null;
  /** Details that came before the first turn. */
  waiting: Detail[];
  /** Hashes of what other people's hooks said: kept once a session. */
  hooks: string[];
}

export const emptyReading = (): Reading => ({
  turn: null,
  lead: [],
  prompts: [],
  command: null,
  queued: [],
  shell: null,
  block: null,
  waiting: [],
  hooks: [],
});
