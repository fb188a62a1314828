/** Who said a message, as in the Messages API. */
export type Role = "user" | "assistant";

/** What an L3 detail is: a tool's input, its output, a notice of the client or of a hook, an image's placeholder. */
export type DetailKind = "tool_input" | "tool_output" | "system" | "image";

/** One piece of L2: what the person said or what Claude answered, word for word. */
export interface Message {
  /** The transcript entry's uuid, with `:n` from its second text block on. */
  sourceId: string;
  role: Role;
  /** UTC milliseconds. */
  at: number;
  text: string;
  /** A fork's copy under a new uuid. */
  copied?: true;
}

/** The tool name of the L3 detail that stands where the prompt would: a plan that the model wrote and the person accepted. */
export const planTool = "plan";

/** One piece of L3. */
export interface Detail {
  /** The `tool_use` id, that id + `:result`, or the entry's uuid (+ `:n`). */
  sourceId: string;
  kind: DetailKind;
  /** The tool's name, or `hook:<event>`, or the kind of notice. */
  tool?: string;
  /** UTC milliseconds. */
  at: number;
  input?: string;
  output?: string;
  /** The file that the client moved a large output to; `output` is its beginning. */
  outputFile?: string;
  /** A fork's copy under a new uuid. */
  copied?: true;
}

/**
 * `open` until the person interrupts it; an interrupted turn that goes on is open again. `answer_only` where there was no
 * transcript and the answer is all that is known.
 */
export type TurnState = "open" | "interrupted" | "answer_only";

/** The head of a turn: everything but its messages and details. */
export interface TurnHead {
  /** The uuid of the prompt's transcript entry. */
  uuid: string;
  parentUuid: string | null;
  /** The prompt's own time, UTC milliseconds. */
  startedAt: number;
  cwd?: string;
  /** The entries between the end of the conversation before and the prompt, by their uuids; that end first. */
  lead?: readonly string[];
  /** The prompt as stored, by which a fork's copy under a new uuid is recognized. */
  prompt?: string;
  /** A fork's copy under a new uuid. */
  copied?: true;
}

/** What a stretch of transcript says about one turn. Applying it twice is the same as applying it once. */
export interface TurnChange {
  /** Present when the prompt itself is in the stretch. */
  head?: TurnHead;
  uuid: string;
  messages: Message[];
  /** `sourceId`s of messages that turned out to be said elsewhere. */
  withdrawn: string[];
  details: Detail[];
  /** `sourceId`s of details that turned out to belong to another turn. */
  withdrawnDetails?: string[];
  state?: TurnState;
  model?: string;
  /** The context's size in tokens at the last answer: input, cached input and output together. */
  contextTokens?: number;
}

/** What a stretch of transcript says, in the order of the file. */
export type Change =
  | { type: "turn"; turn: TurnChange }
  /** The turn was never answered and its prompt came back inside a later one. */
  | { type: "drop"; uuid: string }
  /** What was filed under a turn of its own belongs to another one. */
  | { type: "merge"; uuid: string; into: string };

/** Why a session continues another; a later one in this list replaces an earlier one, never the other way round. */
export const linkReasons = ["inferred", "heuristic", "exact", "uuids", "hand"] as const;
export type LinkReason = (typeof linkReasons)[number];

/** A stored turn as the reading side sees it. */
export interface StoredTurn {
  id: number;
  uuid: string;
  /** UTC milliseconds. */
  startedAt: number;
  /** Minutes east of UTC, fixed when the turn was first stored. */
  zoneOffset: number;
  state: TurnState;
  contextTokens: number | null;
  /** The session that lists the turn (the row's id). */
  sessionId: number;
}

/** How much was said in a turn. */
export interface Size {
  messages: number;
  /** Code points. */
  characters: number;
  /** As UTF-8. */
  bytes: number;
}
