import { asBlocks, asObject, asText, blockTexts, type Line, timeOf } from "./line.ts";
import { parseLine } from "./parse.ts";
import { openTranscript, readAt, readStretch } from "./read.ts";

/** What a transcript's beginning says about its session, for one that no hook saw start. */
export interface Beginning {
  sessionId?: string;
  /** The folder the session was started in. */
  cwd?: string;
  entrypoint?: string;
  /** The first line's time, UTC milliseconds. */
  startedAt?: number;
  /** Begins with `/clear`: it goes on where another session ended. */
  cleared: boolean;
  /** A sub-agent's, whatever the file is called. */
  sidechain: boolean;
}

/** Bytes: what most files show within. Text that hooks inject can stand before it, hence a second, longer look. */
const glance = 1 << 16;

/** The beginning of a transcript; `undefined` where there is no such file. Reads 1 MB at the most, or one line. */
export function readBeginning(path: string): Beginning | undefined {
  using transcript = openTranscript(path);
  if (!transcript) return undefined;
  const first = readAt(transcript.fd, 0, Math.min(glance, transcript.size));
  const seen = beginningOf(
    first
      .subarray(0, first.lastIndexOf(10) + 1)
      .toString()
      .split("\n"),
  );
  if (seen.decided || transcript.size <= glance) return seen.beginning;
  return beginningOf(readStretch(transcript, 0, true)?.lines ?? []).beginning;
}

function beginningOf(texts: readonly string[]): { beginning: Beginning; decided: boolean } {
  const beginning: Beginning = { cleared: false, sidechain: false };
  let said = false;
  for (const line of texts.flatMap((text) => (text === "" ? [] : parseLine(text).lines))) {
    note(beginning, line);
    const isMessage = line.type === "user" || line.type === "assistant";
    if (isMessage && line.isSidechain === true) beginning.sidechain = true;
    else if (isClear(line)) beginning.cleared = true;
    else if (isMessage && line.isMeta !== true && !isCommand(line)) said = true;
    if (!said) continue;
    beginning.sidechain = false;
    if (beginning.sessionId !== undefined && beginning.cwd !== undefined) return { beginning, decided: true };
  }
  return { beginning, decided: false };
}

function note(beginning: Beginning, line: Line): void {
  const told = { sessionId: asText(line.sessionId), cwd: asText(line.cwd), entrypoint: asText(line.entrypoint) };
  for (const name of ["sessionId", "cwd", "entrypoint"] as const) {
    const value = told[name];
    if (beginning[name] === undefined && value !== undefined) beginning[name] = value;
  }
  const at = timeOf(line);
  if (beginning.startedAt === undefined && at > 0) beginning.startedAt = at;
}

const isCommand = (line: Line): boolean => /^\s*<(command|local-command)-/.test(textOf(line));
const isClear = (line: Line): boolean => /^\s*<command-name>\/clear<\/command-name>/.test(textOf(line));

const textOf = (line: Line): string =>
  line.type === "user"
    ? blockTexts(asBlocks(asObject(line.message).content)).join("\n")
    : line.type === "system"
      ? (asText(line.content) ?? "")
      : "";
