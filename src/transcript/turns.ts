import type { Change, Detail, TurnChange, TurnHead } from "../types.ts";
import type { Entry } from "./entry.ts";
import { mediaText } from "./media.ts";
import { removeNoise } from "./noise.ts";

type Of<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;

/** What the reader carries from one stretch of a transcript to the next: plain data, kept in the checkpoint. */
export interface Reading {
  /** The newest turn is always open. */
  turn: { uuid: string; parentUuid: string | null; promptStart: string; answered: boolean } | null;
  /** A slash command without arguments: a turn only if something answers it. */
  command: Of<"command"> | null;
  /** Texts typed while Claude was working that have not come back as a prompt. */
  queued: { text: string; sourceId: string; turnUuid: string | null }[];
  /** The `!command` whose output is still to come. */
  shell: string | null;
  /** Details that came before the first turn. */
  waiting: Detail[];
  /** Hashes of what other people's hooks said: kept once a session. */
  hooks: string[];
}

export const emptyReading = (): Reading => ({
  turn: null,
  command: null,
  queued: [],
  shell: null,
  waiting: [],
  hooks: [],
});

/** A prompt that was taken back before any answer is recognized by its beginning. */
const promptStartLength = 500;
const mostRemembered = 200;

/** Follows one entry: `reading` moves on, `changes` grows by what the entry says. */
export function follow(reading: Reading, changes: Change[], entry: Entry): void {
  switch (entry.kind) {
    case "prompt":
      return followPrompt(reading, changes, entry);
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
      withdrawQueued(reading, changes, entry.text);
      return say(turnFor(reading, changes, entry), entry.uuid, entry.at, "user", entry.text);
    case "interrupt":
      if (reading.turn) changeOf(changes, reading.turn.uuid).state = "interrupted";
      return;
    case "notice":
      return followNotice(reading, changes, entry);
    case "nothing":
    case "skipped":
      return;
  }
}

function followPrompt(reading: Reading, changes: Change[], entry: Of<"prompt">): void {
  withdrawQueued(reading, changes, entry.text);
  const before = reading.turn;
  if (
    before &&
    !before.answered &&
    before.parentUuid === entry.parentUuid &&
    entry.text.startsWith(before.promptStart)
  ) {
    changes.push({ type: "drop", uuid: before.uuid });
  }
  const change = openTurn(reading, changes, entry, entry.text);
  entry.context.forEach((text, n) => {
    change.details.push({
      sourceId: `${entry.uuid}:ide${n || ""}`,
      kind: "system",
      tool: "ide",
      at: entry.at,
      output: text,
    });
  });
  addMedia(change, entry.uuid, entry.at, entry.media);
}

function followCommand(reading: Reading, changes: Change[], entry: Of<"command">): void {
  reading.command = null;
  if (entry.own) return;
  if (entry.hasArguments) openTurn(reading, changes, entry, entry.text);
  else reading.command = entry;
}

function followShell(reading: Reading, changes: Change[], entry: Of<"shell">): void {
  reading.command = null;
  reading.shell = entry.uuid;
  const change = reading.turn
    ? changeOf(changes, reading.turn.uuid)
    : openTurn(reading, changes, entry, `!${entry.text}`);
  change.details.push({
    sourceId: entry.uuid,
    kind: "tool_input",
    tool: "!",
    at: entry.at,
    input: removeNoise(entry.text),
  });
}

function followShellOutput(reading: Reading, changes: Change[], entry: Of<"shell_output">): void {
  const sourceId = `${reading.shell ?? entry.uuid}:result`;
  reading.shell = null;
  if (!reading.turn) return;
  const output = removeNoise(entry.text);
  changeOf(changes, reading.turn.uuid).details.push({ sourceId, kind: "tool_output", tool: "!", at: entry.at, output });
}

function followAnswer(reading: Reading, changes: Change[], entry: Of<"answer">): void {
  const change = turnFor(reading, changes, entry);
  if (reading.turn) reading.turn.answered = true;
  change.state = "open";
  if (entry.model !== undefined) change.model = entry.model;
  if (entry.contextTokens !== undefined) change.contextTokens = entry.contextTokens;
  entry.texts.forEach((text, n) => {
    say(change, n === 0 ? entry.uuid : `${entry.uuid}:${n}`, entry.at, "assistant", text);
  });
  for (const tool of entry.tools) {
    change.details.push({
      sourceId: tool.id,
      kind: "tool_input",
      tool: tool.name,
      at: entry.at,
      input: removeNoise(tool.input),
    });
  }
}

function followResults(reading: Reading, changes: Change[], entry: Of<"results">): void {
  const change = turnFor(reading, changes, entry);
  for (const result of entry.results) {
    const sourceId = `${result.toolUseId}:result`;
    const output = removeNoise(result.text);
    if (output !== "") change.details.push({ sourceId, kind: "tool_output", at: entry.at, output });
    addMedia(change, sourceId, entry.at, result.media);
  }
  entry.said.forEach((text, n) => {
    say(change, n === 0 ? entry.uuid : `${entry.uuid}:${n}`, entry.at, "user", text);
  });
}

function followQueue(reading: Reading, changes: Change[], entry: Of<"queue">): void {
  if (entry.operation === "popAll") return withdrawAll(reading, changes);
  const text = entry.text?.trim() ?? "";
  if (entry.operation !== "enqueue" || text === "" || text.startsWith("<") || text.startsWith("/")) return;
  if (reading.queued.some((queued) => queued.text === text)) return;
  const sourceId = `queue:${Bun.hash(text).toString(16)}`;
  reading.queued = [...reading.queued, { text, sourceId, turnUuid: reading.turn?.uuid ?? null }].slice(-mostRemembered);
  if (reading.turn) say(changeOf(changes, reading.turn.uuid), sourceId, entry.at, "user", text);
}

// A queued text counts where it came back: as a prompt, as the part of one, or as a note beside a tool result.
function withdrawQueued(reading: Reading, changes: Change[], text: string): void {
  const back = reading.queued.filter((queued) => text.includes(queued.text));
  if (back.length === 0) return;
  reading.queued = reading.queued.filter((queued) => !back.includes(queued));
  for (const queued of back) if (queued.turnUuid) withdraw(changes, queued.turnUuid, queued.sourceId);
}

function withdrawAll(reading: Reading, changes: Change[]): void {
  for (const queued of reading.queued) if (queued.turnUuid) withdraw(changes, queued.turnUuid, queued.sourceId);
  reading.queued = [];
}

function withdraw(changes: Change[], turnUuid: string, sourceId: string): void {
  const change = changeOf(changes, turnUuid);
  change.messages = change.messages.filter((message) => message.sourceId !== sourceId);
  change.withdrawn.push(sourceId);
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
  };
  if (entry.input !== undefined) detail.input = entry.input;
  if (reading.turn) changeOf(changes, reading.turn.uuid).details.push(detail);
  else reading.waiting = [...reading.waiting, detail].slice(-mostRemembered);
}

/** The turn the entry belongs to: the open one, the one of the command it answers, or, in a file cut at its head, its own. */
function turnFor(reading: Reading, changes: Change[], entry: { uuid: string; at: number }): TurnChange {
  const command = reading.command;
  if (command) return openTurn(reading, changes, command, command.text);
  if (reading.turn) return changeOf(changes, reading.turn.uuid);
  return openTurn(reading, changes, { ...entry, parentUuid: null }, "");
}

function openTurn(
  reading: Reading,
  changes: Change[],
  placed: { uuid: string; at: number; parentUuid: string | null; cwd?: string },
  text: string,
): TurnChange {
  const { uuid, parentUuid, at } = placed;
  const head: TurnHead = { uuid, parentUuid, startedAt: at };
  if (placed.cwd !== undefined) head.cwd = placed.cwd;
  const change: TurnChange = { head, uuid, messages: [], withdrawn: [], details: reading.waiting };
  changes.push({ type: "turn", turn: change });
  reading.turn = { uuid, parentUuid, promptStart: text.slice(0, promptStartLength), answered: false };
  reading.command = null;
  reading.waiting = [];
  say(change, uuid, at, "user", text);
  return change;
}

// The change for a turn that is already open: the newest one in this stretch, or the first that this stretch says about it.
function changeOf(changes: Change[], uuid: string): TurnChange {
  const last = changes.findLast((change) => change.type === "turn" && change.turn.uuid === uuid);
  if (last?.type === "turn") return last.turn;
  const change: TurnChange = { uuid, messages: [], withdrawn: [], details: [] };
  changes.push({ type: "turn", turn: change });
  return change;
}

function say(change: TurnChange, sourceId: string, at: number, role: "user" | "assistant", raw: string): void {
  const text = removeNoise(raw);
  if (text.trim() !== "") change.messages.push({ sourceId, role, at, text });
}

function addMedia(change: TurnChange, id: string, at: number, media: Of<"prompt">["media"]): void {
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
