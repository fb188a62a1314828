import { below, pick, type Random, uuid } from "./random.ts";
import { cut, path } from "./text.ts";
import { assistant, type Fields, makeWriter, say, type Writer } from "./writer.ts";

/** A long session as real ones are mixed: see `docs/transcript.md` for what was measured. */
export interface History {
  /** The next turn: 230 KB on the average. */
  turn: () => string;
  /** One line of about so many bytes: the result of a tool, with an image and the client's copy of what it printed. */
  largeLine: (bytes: number) => string;
}

const calls = 16;

/**
 * A history of its own for each seed. Of its bytes 43 % are the client's structured copies of tool results, 18 % the
 * results, 10 % the envelope, 12 % progress lines, 5 % tool input, 3 % images, 2 % signatures and 2 % what was said.
 */
export function makeHistory(seed: number, sessionId: string, cwd: string, startAt: number): History {
  const writer = makeWriter(seed, sessionId, cwd, startAt);
  const base64 = randomBase64(writer.random, 4_000_000);
  return { turn: () => writeTurn(writer, base64), largeLine: (bytes) => writeLargeLine(writer, base64, bytes) };
}

function writeTurn(writer: Writer, base64: string): string {
  const { random, pool } = writer;
  const promptId = uuid(random);
  const text = cut(random, pool.prose, spread(random, 1_000));
  const image = random() < 1 / 25 ? [imageOf(random, base64, 300_000)] : [];
  const content = image.length > 0 ? [{ type: "text", text }, ...image] : text;
  const prompt = writer.tree("user", { promptId, message: { role: "user", content }, permissionMode: "default" });
  for (let n = 0; n < calls; n += 1) {
    if (random() < 0.35) think(writer, base64);
    if (random() < 0.45) say(writer, cut(random, pool.prose, spread(random, 280)));
    writeCall(writer, base64, promptId);
  }
  for (let n = 0; n < 4; n += 1) writeSnapshot(writer, prompt);
  writer.tree("system", { subtype: "turn_duration", durationMs: 23_314, isMeta: false });
  return writer.take();
}

function writeCall(writer: Writer, base64: string, promptId: string): void {
  const { random } = writer;
  const id = `toolu_${uuid(random).replaceAll("-", "").slice(0, 24)}`;
  const { name, input, output, toolUseResult } = pick(random, [edited, edited, read, printed, printed, printed])(
    writer,
  );
  const call = assistant(writer, { type: "tool_use", id, name, input });
  if (name === "Bash") writeProgress(writer, id, output);
  const image = random() < 1 / 800 ? [imageOf(random, base64, 200_000)] : [];
  const content = image.length > 0 ? [{ type: "text", text: output }, ...image] : output;
  writer.tree("user", {
    promptId,
    message: { role: "user", content: [{ tool_use_id: id, type: "tool_result", content }] },
    toolUseResult,
    sourceToolAssistantUUID: call,
  });
}

function writeLargeLine(writer: Writer, base64: string, bytes: number): string {
  const { random, pool } = writer;
  const data = base64.repeat(Math.ceil(bytes / 2 / base64.length));
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  const content = [{ type: "text", text: cut(random, pool.output, 2_000) }, image];
  const stdout = pool.output.repeat(Math.ceil(bytes / 2 / pool.output.length));
  writer.tree("user", {
    message: { role: "user", content: [{ tool_use_id: `toolu_${uuid(random)}`, type: "tool_result", content }] },
    toolUseResult: { stdout, stderr: "", interrupted: false },
  });
  return writer.take();
}

interface Called {
  name: string;
  input: Fields;
  output: string;
  toolUseResult: Fields;
}

// The client keeps the file as it was before the edit.
function edited({ random, pool }: Writer): Called {
  const text = (length: number) => cut(random, pool.output, spread(random, length));
  const old = text(500);
  const changed = `${old.slice(0, old.length / 2)}${text(200)}${old.slice(old.length / 2)}`;
  const input = { file_path: path(random), old_string: old, new_string: changed, replace_all: false };
  const output = `The file ${input.file_path} has been updated.\n${text(1_300)}`;
  return { name: "Edit", input, output, toolUseResult: { ...input, originalFile: text(9_500), structuredPatch: [] } };
}

function read({ random, pool }: Writer): Called {
  const filePath = path(random);
  const output = cut(random, pool.output, spread(random, 6_500));
  const file = { filePath, content: `${output}${cut(random, pool.output, 2_400)}`, numLines: 200, totalLines: 400 };
  return { name: "Read", input: { file_path: filePath }, output, toolUseResult: { type: "text", file } };
}

function printed({ random, pool }: Writer): Called {
  const output = cut(random, pool.output, spread(random, 1_900));
  const command = `grep -rn "${cut(random, pool.prose, spread(random, 420)).replaceAll("\n", " ")}" ${path(random)}`;
  const toolUseResult = { stdout: output, stderr: "", interrupted: false };
  return { name: "Bash", input: { command, description: cut(random, pool.prose, 40) }, output, toolUseResult };
}

function writeProgress(writer: Writer, id: string, output: string): void {
  const { random, pool } = writer;
  const progress = (data: Fields) => writer.tree("progress", { data, toolUseID: id, parentToolUseID: id });
  if (random() < 0.7) progress({ type: "bash_progress", output: output.slice(-400), fullOutput: output.slice(-500) });
  if (random() < 0.4) progress({ type: "hook_progress", hookEvent: "PostToolUse", hookName: "PostToolUse:Bash" });
  if (random() < 0.35) {
    const said = { role: "user", content: [{ type: "text", text: cut(random, pool.output, spread(random, 4_200)) }] };
    const message = { type: "user", message: said, uuid: uuid(random), timestamp: "2026-01-01T00:00:00.000Z" };
    progress({ type: "agent_progress", message, normalizedMessages: [message], prompt: "", agentId: "a1" });
  }
}

function think(writer: Writer, base64: string): void {
  const { random, pool } = writer;
  const signature = cut(random, base64, spread(random, 840));
  assistant(writer, { type: "thinking", thinking: cut(random, pool.prose, spread(random, 360)), signature });
}

function writeSnapshot(writer: Writer, messageId: string): void {
  const { random } = writer;
  const backup = () => ({ backupFileName: `${uuid(random)}@v1`, version: 1, backupTime: "2026-01-01T00:00:00.000Z" });
  const trackedFileBackups = Object.fromEntries(Array.from({ length: 3 }, () => [path(random), backup()]));
  const snapshot = { messageId, trackedFileBackups };
  writer.state("file-history-snapshot", { messageId, snapshot, isSnapshotUpdate: true });
}

const imageOf = (random: Random, base64: string, length: number): Fields => {
  const data = cut(random, base64, spread(random, length) & ~3);
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
};

/** Most are short and a few are long, ten times the mean at the most. */
const spread = (random: Random, mean: number): number => Math.ceil(mean * (0.1 + 9.9 * random() ** 10));

const randomBase64 = (random: Random, length: number): string =>
  Buffer.from(Uint8Array.from({ length: (length * 3) / 4 }, () => below(random, 256))).toString("base64");
