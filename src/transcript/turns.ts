import { type Change, type Detail, planTool } from "../types.ts";
import { addMedia, changeOf, copyMark, dropTurn, mergeTurn, say, sayAll } from "./changes.ts";
import type { AnswerBlock, Entry } from "./entry.ts";
import { removeNoise } from "./noise.ts";
import { openTurn, turnFor } from "./opening.ts";
import { followQueue, withdrawPrompted, withdrawQueued } from "./queue.ts";
import { mostRemembered, type Of, type Reading } from "./reading.ts";
import type { ToolResult } from "./results.ts";
import { followShell, followShellOutput } from "./shell.ts";

/** A line that comes twice comes again soon, as a rule. */
const promptsRemembered = 50;

/** Stands in an answer where the transcript visibly lacks words. */
const gapMark = "[… words missing from the transcript …]";

const conversation: readonly Entry["kind"][] = ["prompt", "plan", "answer", "results", "queued", "interrupt"];
const mostLeading = 50;

/**
 * Follows one entry: `reading` moves on, `changes` grows by what the entry says.
 * @param uuid that of its line, where it is one of the tree
 */
export function follow(reading: Reading, changes: Change[], entry: Entry, uuid?: string): void {
  followEntry(reading, changes, entry);
  if (uuid !== undefined) {
    reading.lead = conversation.includes(entry.kind) ? [uuid] : [...reading.lead, uuid].slice(-mostLeading);
  }
}

function followEntry(reading: Reading, changes: Change[], entry: Entry): void {
  switch (entry.kind) {
    case "prompt":
      return followPrompt(reading, changes, entry);
    case "plan":
      return followPlan(reading, changes, entry);
    case "command":
      return followCommand(reading, changes, entry);
    case "shell":
      return followShell(reading, changes, entry);
    case "shell_output":
      return followShellOutput(reading, changes, entry);
    case "answer":
      return followAnswer(reading, changes, entry);
    case "results":
      return followResults(reading, changes, entry);
    case "queue":
      return followQueue(reading, changes, entry);
    case "queued":
      return followQueued(reading, changes, entry);
    case "interrupt":
      interrupt(reading, changes);
      if (entry.said.length > 0) sayAll(turnFor(reading, changes, entry), entry, "user", entry.said);
      return;
    case "notice":
      return followNotice(reading, changes, entry);
    case "nothing":
    case "skipped":
      return;
  }
}

function followPrompt(reading: Reading, changes: Change[], entry: Of<"prompt">): void {
  const seen = Bun.hash(entry.uuid).toString(36);
  if (reading.prompts.includes(seen)) return;
  reading.prompts = [...reading.prompts, seen].slice(-promptsRemembered);
  withdrawPrompted(reading, changes, entry.text);
  const before = reading.turn;
  if (
    before &&
    !before.answered &&
    before.parentUuid === entry.parentUuid &&
    entry.text.startsWith(before.promptStart)
  ) {
    dropTurn(changes, before.uuid);
  }
  const change = openTurn(reading, changes, entry, entry.text);
  if (before?.headlessAt != null && before.headlessAt >= entry.at) {
    // A client's first lines can come in any order: 2.1.197 writes an answer before its prompt one time in twenty.
    mergeTurn(changes, before.uuid, entry.uuid);
    reading.queued = reading.queued.map((queued) =>
      queued.turnUuid === before.uuid ? { ...queued, turnUuid: entry.uuid } : queued,
    );
    if (reading.turn) reading.turn.answered = before.answered;
  }
  entry.context.forEach((text, n) => {
    change.details.push({
      sourceId: `${entry.uuid}:ide${n || ""}`,
      kind: "system",
      tool: "ide",
      at: entry.at,
      output: text,
      ...copyMark(entry),
    });
  });
  addMedia(change, entry, entry.media);
}

// It opens a turn, but nobody typed it.
function followPlan(reading: Reading, changes: Change[], entry: Of<"plan">): void {
  openTurn(reading, changes, entry, "").details.push({
    sourceId: `${entry.uuid}:plan`,
    kind: "system",
    tool: planTool,
    at: entry.at,
    output: removeNoise(entry.text),
    ...copyMark(entry),
  });
}

function followCommand(reading: Reading, changes: Change[], entry: Of<"command">): void {
  reading.command = null;
  if (entry.own) return;
  if (entry.asksClaude) openTurn(reading, changes, entry, entry.text);
  else reading.command = entry;
}

function followAnswer(reading: Reading, changes: Change[], entry: Of<"answer">): void {
  const change = turnFor(reading, changes, entry);
  if (reading.turn) reading.turn.answered = true;
  change.state = "open";
  if (hasGap(reading.block, entry.block)) say(change, { ...entry, uuid: `${entry.uuid}:gap` }, "assistant", gapMark);
  reading.block = entry.block;
  if (entry.model !== undefined) change.model = entry.model;
  if (entry.contextTokens !== undefined) change.contextTokens = entry.contextTokens;
  sayAll(change, entry, "assistant", entry.texts);
  for (const tool of entry.tools) {
    change.details.push({
      sourceId: tool.id,
      kind: "tool_input",
      tool: tool.name,
      at: entry.at,
      input: tool.input,
    });
  }
}

// A thinking block follows another one of the same message: the client did not write what was said between them.
function hasGap(before: AnswerBlock | null, block: AnswerBlock): boolean {
  if (!before?.thinking || !block.thinking || block.messageId === null) return false;
  if (before.messageId !== block.messageId) return false;
  return before.index === null || block.index === null || block.index > before.index + 1;
}

function followResults(reading: Reading, changes: Change[], entry: Of<"results">): void {
  const change = turnFor(reading, changes, entry);
  for (const result of entry.results) {
    const sourceId = `${result.toolUseId}:result`;
    const output = removeNoise(result.text);
    if (output !== "")
      change.details.push({ sourceId, kind: "tool_output", at: entry.at, output, ...fileMark(result) });
    addMedia(change, { uuid: sourceId, at: entry.at }, result.media);
  }
  sayAll(change, entry, "user", entry.said);
  addMedia(change, entry, entry.media);
  if (entry.interrupted) interrupt(reading, changes);
}

function followQueued(reading: Reading, changes: Change[], entry: Of<"queued">): void {
  withdrawQueued(reading, changes, entry.text);
  const change = turnFor(reading, changes, entry);
  say(change, entry, "user", entry.text);
  addMedia(change, entry, entry.media);
}

function interrupt(reading: Reading, changes: Change[]): void {
  if (reading.turn) changeOf(changes, reading.turn.uuid).state = "interrupted";
}

function followNotice(reading: Reading, changes: Change[], entry: Of<"notice">): void {
  if (entry.tool === "command") reading.command = null;
  if (entry.tool.startsWith("hook:")) {
    const hash = Bun.hash(`${entry.tool}\n${entry.text}`).toString(36);
    if (reading.hooks.includes(hash)) return;
    reading.hooks = [...reading.hooks, hash].slice(-mostRemembered);
  }
  const detail: Detail = {
    sourceId: entry.uuid,
    kind: "system",
    tool: entry.tool,
    at: entry.at,
    output: removeNoise(entry.text),
    ...copyMark(entry),
  };
  if (entry.input !== undefined) detail.input = entry.input;
  if (reading.turn) changeOf(changes, reading.turn.uuid).details.push(detail);
  else reading.waiting = [...reading.waiting, detail].slice(-mostRemembered);
}

const fileMark = ({ file }: ToolResult) => (file === undefined ? {} : { outputFile: file });
