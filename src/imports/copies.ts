import { openTranscript, readAt } from "../transcript/read.ts";

const chunkBytes = 1 << 20;

/** Whether everything in one file also stands, byte for byte, at the beginning of another: an older copy of it. */
export function isBeginningOf(path: string, other: string): boolean {
  using short = openTranscript(path);
  using long = openTranscript(other);
  if (!short || !long || short.size > long.size) return false;
  if (short.fileId === long.fileId) return true;
  for (let offset = 0; offset < short.size; offset += chunkBytes) {
    const length = Math.min(chunkBytes, short.size - offset);
    if (!readAt(short.fd, offset, length).equals(readAt(long.fd, offset, length))) return false;
  }
  return true;
}
