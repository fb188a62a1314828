import { pick, uuid } from "./random.ts";
import { cut, path } from "./text.ts";
import { assistant, type Fields, makeWriter, say, type Writer } from "./writer.ts";

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
