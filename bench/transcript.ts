import { below, pick, type Random, seeded, uuid } from "./random.ts";
import { cut, makePool, type Pool, path } from "./text.ts";

/** How large a turn is, in characters. */
export interface TurnSize {
  prompt: number;
  answer: number;
  /** What tools were given and what they returned. */
  tools: number;
  /** The whole turn in the file; the client's own bookkeeping fills what the conversation leaves. */
  file: number;
}

/** Turns of a conversation as the client writes them to its transcript, one after the other. */
export interface Conversation {
  /** What the client writes at a session's start: the system prompt, tools, skills. */
  opening: () => string;
  turn: (size: TurnSize) => string;
}

type Fields = Record<string, unknown>;

interface Writer {
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
const meanResult = 2_800;

/**
 * A conversation of its own for each seed, the same in every run but for the times, which begin at `startAt` (UTC
 * milliseconds).
 */
export function converse(seed: number, sessionId: string, cwd: string, startAt: number): Conversation {
  const writer = makeWriter(seed, sessionId, cwd, startAt);
  return {
    opening: () => writeOpening(writer),
    turn: (size) => writeTurn(writer, size),
  };
}

function makeWriter(seed: number, sessionId: string, cwd: string, startAt: number): Writer {
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

function writeOpening(writer: Writer): string {
  const { random, pool } = writer;
  writer.state("mode", { mode: "default" });
  const attach = (attachment: Fields) => writer.tree("attachment", { attachment });
  attach({ type: "prompt_snapshot", systemPrompt: [cut(random, pool.prose, 63_000)], reminderFold: true });
  attach({ type: "skill_listing", content: cut(random, pool.prose, 13_000), skillCount: 24, isInitial: true });
  attach({ type: "agent_listing_delta", addedLines: [cut(random, pool.prose, 4_000)], isInitial: true });
  attach({ type: "environment", snapshot: cut(random, pool.prose, 800) });
  writer.state("api-request-shape", { shapeHash: uuid(random), shape: { system: cut(random, pool.prose, 43_000) } });
  return writer.take();
}

function writeTurn(writer: Writer, size: TurnSize): string {
  const { random, pool } = writer;
  const promptId = uuid(random);
  const prompt = cut(random, pool.prose, size.prompt);
  const uuidOfPrompt = writer.tree("user", {
    promptId,
    message: { role: "user", content: prompt },
    permissionMode: "default",
    origin: { kind: "human" },
    promptSource: "typed",
  });
  const answers = writeTools(writer, size, promptId);
  say(writer, cut(random, pool.prose, size.answer - answers));
  writer.state("file-history-snapshot", {
    messageId: uuidOfPrompt,
    snapshot: { messageId: uuidOfPrompt, trackedFileBackups: {} },
    isSnapshotUpdate: false,
  });
  writer.tree("system", { subtype: "turn_duration", durationMs: 23_314, isMeta: false });
  writer.state("last-prompt", { lastPrompt: prompt.slice(0, 200), leafUuid: uuidOfPrompt });
  writeBookkeeping(writer, size.file - writer.length());
  return writer.take();
}

/** Writes the turn's tool calls, some with a sentence before them; returns how much was said. */
function writeTools(writer: Writer, size: TurnSize, promptId: string): number {
  const { random, pool } = writer;
  let said = 0;
  for (let left = size.tools; left > 0; ) {
    // As measured on real ones: most results are short, a few fill a screen or ten.
    const length = Math.min(left, Math.ceil(120 + meanResult * 3 * random() ** 2.5));
    left -= length;
    if (said + 95 < size.answer / 2 && random() < 0.4) said += say(writer, cut(random, pool.prose, 95));
    writeCall(writer, length, promptId, size.file > 100_000);
  }
  return said;
}

function writeCall(writer: Writer, length: number, promptId: string, copies: boolean): void {
  const { random, pool } = writer;
  const id = `toolu_${uuid(random).replaceAll("-", "").slice(0, 24)}`;
  const file = path(random);
  const given = Math.floor(length / 5);
  const output = cut(random, pool.output, length - given);
  const edits = random() < 0.3;
  const input = edits
    ? {
        file_path: file,
        old_string: cut(random, pool.output, given / 2),
        new_string: cut(random, pool.output, given / 2),
      }
    : { command: `grep -rn "${cut(random, pool.prose, given).replaceAll("\n", " ")}" ${file}` };
  const call = assistant(writer, {
    type: "tool_use",
    id,
    name: edits ? "Edit" : pick(random, ["Bash", "Grep"]),
    input,
  });
  writer.tree("user", {
    promptId,
    message: { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: output, is_error: false }] },
    // The client's structured copy: what was printed once more, or the file as it was before the edit.
    toolUseResult: edits
      ? { filePath: file, originalFile: cut(random, pool.output, copies ? 12_000 : 200), structuredPatch: [] }
      : { stdout: output, stderr: "", interrupted: false },
    sourceToolAssistantUUID: call,
  });
}

function say(writer: Writer, text: string): number {
  assistant(writer, { type: "text", text });
  return text.length;
}

function assistant(writer: Writer, block: Fields): string {
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

/** Fills the turn up with the client's bookkeeping, in pieces as it writes them. */
function writeBookkeeping(writer: Writer, missing: number): void {
  const { random, pool } = writer;
  const until = writer.length() + missing;
  for (let left = missing; left > 600; left = until - writer.length()) {
    const text = cut(random, pool.output, Math.min(left - 400, 30_000));
    // A line feed, a tab or a quotation mark takes two bytes in the file.
    const fitting = text.slice(0, Math.floor((text.length * text.length) / JSON.stringify(text).length));
    if (random() < 0.5) {
      writer.state("api-request-blob", { hash: uuid(random), message: { role: "user", content: fitting } });
    } else {
      writer.tree("attachment", { attachment: { type: "task_reminder", content: fitting, itemCount: 3 } });
    }
  }
}
