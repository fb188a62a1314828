import { asText, timeOf } from "./line.ts";
import { parseLine } from "./parse.ts";
import { openTranscript, readStretch } from "./read.ts";

/** What a transcript says about itself: in 93 % of files within the first three lines. */
export interface TranscriptHead {
  sessionId?: string;
  /** The folder the session was started in. */
  cwd?: string;
  /** The first line's time, UTC milliseconds. */
  startedAt?: number | undefined;
}

/** The first session id and the first folder in a transcript; neither where there is no such file or line. */
export function readHead(path: string): TranscriptHead {
  using transcript = openTranscript(path);
  const lines = (transcript && readStretch(transcript, 0)?.lines) ?? [];
  const head: TranscriptHead = {};
  for (const line of lines.flatMap((text) => parseLine(text).lines)) {
    const [sessionId, cwd] = [head.sessionId ?? asText(line.sessionId), head.cwd ?? asText(line.cwd)];
    head.startedAt ??= timeOf(line) || undefined;
    if (sessionId !== undefined) head.sessionId = sessionId;
    if (cwd !== undefined) head.cwd = cwd;
    if (head.sessionId !== undefined && head.cwd !== undefined && head.startedAt !== undefined) break;
  }
  return head;
}
