import { readSync } from "node:fs";
import type { Libc } from "./libc.ts";

/** A sender that has begun and goes on sending may take as long as it likes; one that is silent for longer has ended. */
const patience = 1_000;
const chunkBytes = 1 << 16;

/**
 * What is on stdin: all of it until its end, or until one whole JSON value is there and nothing follows at once, for
 * senders that never close their end. Read synchronously where the C library allows to: Bun's own way starts threads
 * for it, which costs 2 ms.
 * @throws when neither comes
 */
export async function readStdin(libc: Libc | undefined): Promise<string> {
  return libc ? readPolled(libc) : Bun.stdin.text();
}

function readPolled(libc: Libc): string {
  const chunks: Buffer[] = [];
  for (;;) {
    if (!libc.isReadable(0, 0)) {
      if (isJson(chunks)) break;
      if (!libc.isReadable(0, patience)) {
        throw new Error(`stdin was neither closed nor a whole JSON value after ${patience} ms of silence`);
      }
    }
    const chunk = readChunk();
    if (!chunk) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

// Closed before the program started is as empty as closed without a word.
function readChunk(): Buffer | undefined {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  try {
    const bytes = readSync(0, chunk, 0, chunkBytes, null);
    return bytes === 0 ? undefined : chunk.subarray(0, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EBADF" || code === "EISDIR") return undefined;
    throw error;
  }
}

function isJson(chunks: readonly Buffer[]): boolean {
  try {
    JSON.parse(Buffer.concat(chunks).toString());
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
