import { closeSync, fstatSync, openSync, readSync } from "node:fs";

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

const chunkBytes = 1 << 22;
const tailBytes = 64;

/** Opens a transcript for reading; `undefined` where there is none. */
export function openTranscript(path: string): Transcript | undefined {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
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
 * The complete lines from `offset` on, about 4 MB at a time. `undefined` at the end of the file; an unfinished last line
 * waits for its newline, unless the file is `finished` and none will come.
 */
export function readStretch(transcript: Transcript, offset: number, finished = false): Stretch | undefined {
  for (let bytes = chunkBytes; offset < transcript.size; bytes *= 2) {
    const asked = Math.min(bytes, transcript.size - offset);
    const buffer = readAt(transcript.fd, offset, asked);
    const end = buffer.lastIndexOf(10);
    if (end !== -1) return { lines: buffer.toString("utf8", 0, end).split("\n"), next: offset + end + 1 };
    // All of it, or a file that became shorter since it was opened.
    if (buffer.length < asked || offset + asked >= transcript.size) {
      return finished && buffer.length > 0 ? { lines: [buffer.toString()], next: offset + buffer.length } : undefined;
    }
  }
  return undefined;
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
