import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { slimLine } from "./oversized.ts";

/** An open transcript: who the file is and how large it was when opened. */
export interface Transcript {
  fd: number;
  /** Device and inode: another file under the same name is another transcript. */
  fileId: string;
  size: number;
  [Symbol.dispose](): void;
}

/** Complete lines and the offset of the byte after the last of them. */
export interface Stretch {
  lines: string[];
  next: number;
}

const chunkBytes = 1 << 20;
/** Above it a line is made smaller before it becomes a string. The largest ones seen are of 2 MB. */
const mostLineBytes = 1 << 23;
const tailBytes = 64;
const newline = 10;

/** A pipe that nobody writes to would be waited for without end, a terminal would become ours. */
const readOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
/** Nothing is there, or what is there can be no file: a path of links in a circle, too long, with a NUL, a socket. */
const absent = ["ENOENT", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE", "ENXIO"];

/** Opens a transcript for reading; `undefined` where there is none, or something that is no file. */
export function openTranscript(path: string): Transcript | undefined {
  let fd: number;
  try {
    fd = openSync(path, readOnly);
  } catch (error) {
    if (absent.includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  const stats = fstatSync(fd);
  if (!stats.isFile()) {
    closeSync(fd);
    return undefined;
  }
  const { dev, ino, size } = stats;
  return { fd, fileId: `${dev}:${ino}`, size, [Symbol.dispose]: () => closeSync(fd) };
}

/**
 * The complete lines from `offset` on, about 1 MB at a time, or a longer one alone. `undefined` at the end of the file; an
 * unfinished last line waits for its newline, unless the file is `finished` and none will come.
 */
export function readStretch(transcript: Transcript, offset: number, finished = false): Stretch | undefined {
  const left = transcript.size - offset;
  if (left <= 0) return undefined;
  const bytes = readAt(transcript.fd, offset, Math.min(chunkBytes, left));
  const end = bytes.lastIndexOf(newline);
  if (end !== -1) return { lines: linesOf(bytes.subarray(0, end)), next: offset + end + 1 };
  const next = nextLine(transcript, offset + bytes.length);
  if (next === undefined && !finished) return undefined;
  const to = next === undefined ? transcript.size : next - 1;
  const line = readAt(transcript.fd, offset, to - offset);
  return offset + line.length === to ? { lines: linesOf(line), next: next ?? to } : undefined;
}

// Looked for before the line is read, so that it is in memory only once.
function nextLine(transcript: Transcript, from: number): number | undefined {
  for (let offset = from; offset < transcript.size; offset += chunkBytes) {
    const end = readAt(transcript.fd, offset, Math.min(chunkBytes, transcript.size - offset)).indexOf(newline);
    if (end !== -1) return offset + end + 1;
  }
  return undefined;
}

// Each decoded by itself: one character beyond Latin-1 makes two bytes of each in its line alone, not in all of them.
function linesOf(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const end = bytes.indexOf(newline, from);
    const to = end === -1 ? bytes.length : end;
    const line = bytes.subarray(from, to);
    lines.push((line.length > mostLineBytes ? slimLine(line) : line).toString());
    from = to + 1;
  }
  return lines;
}

/** A fingerprint of the bytes just before `offset`: a file that was written anew has another one. */
export function tailAt(transcript: Transcript, offset: number): string {
  const from = Math.max(0, offset - tailBytes);
  return Bun.hash(readAt(transcript.fd, from, offset - from)).toString(36);
}

/** The bytes at an offset, fewer where the file ends. */
export function readAt(fd: number, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, offset + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
