import { below, type Random, seeded, uuid } from "./random.ts";
import { makePool, type Pool } from "./text.ts";

/** What a line or a block holds. */
export type Fields = Record<string, unknown>;

/** Writes the lines of one session as the client does: a tree in the order of the file, state lines between. */
export interface Writer {
  random: Random;
  pool: Pool;
  /** Appends one line to the tree and returns its uuid. */
  tree: (type: string, fields: Fields) => string;
  /** Appends one line that is not part of the tree. */
  state: (type: string, fields: Fields) => void;
  /** The text of all lines since the last call. */
  take: () => string;
  length: () => number;
}

const stepTime = 2_000;

/** A writer whose lines are the same for each seed but for the times, which begin at `startAt` (UTC milliseconds). */
export function makeWriter(seed: number, sessionId: string, cwd: string, startAt: number): Writer {
  const random = seeded(seed);
  const pool = makePool(random, 1_000_000);
  let lines: string[] = [];
  let length = 0;
  let parentUuid: string | null = null;
  let at = startAt;
  const append = (line: Fields) => {
    const text = `${JSON.stringify(line)}\n`;
    lines.push(text);
    length += text.length;
  };
  const envelope = { userType: "external", entrypoint: "cli", cwd, sessionId, version: "2.1.332", gitBranch: "main" };
  return {
    random,
    pool,
    tree: (type, fields) => {
      const own = uuid(random);
      at += stepTime;
      const timestamp = new Date(at).toISOString();
      append({ parentUuid, isSidechain: false, type, ...fields, uuid: own, timestamp, ...envelope });
      parentUuid = own;
      return own;
    },
    state: (type, fields) => append({ type, ...fields, sessionId }),
    take: () => {
      const text = lines.join("");
      lines = [];
      length = 0;
      return text;
    },
    length: () => length,
  };
}

/** Writes a text of Claude's; returns its length in characters. */
export function say(writer: Writer, text: string): number {
  assistant(writer, { type: "text", text });
  return text.length;
}

/** Writes an assistant line, one content block of a message, and returns its uuid. */
export function assistant(writer: Writer, block: Fields): string {
  const { random } = writer;
  const usage = {
    input_tokens: 2,
    cache_creation_input_tokens: 1_000 + below(random, 9_000),
    cache_read_input_tokens: 20_000 + below(random, 100_000),
    output_tokens: below(random, 900),
    service_tier: "standard",
  };
  const id = `msg_${uuid(random).replaceAll("-", "").slice(0, 24)}`;
  const message = {
    model: "claude-opus-5-5",
    id,
    type: "message",
    role: "assistant",
    content: [block],
    stop_reason: null,
  };
  return writer.tree("assistant", { message: { ...message, usage }, requestId: `req_${uuid(random).slice(0, 24)}` });
}
