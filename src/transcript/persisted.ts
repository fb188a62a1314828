import { realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { openTranscript, readAt } from "./read.ts";

/** Of a larger output the beginning and the end are kept. */
const mostBytes = 8_000_000;

/**
 * What a large tool output's file holds, while it exists. Only a file where the client puts them is read: in a folder
 * `tool-results` of a session beside the transcript, whatever a transcript claims.
 */
export function readPersisted(transcriptPath: string, file: string): string | undefined {
  try {
    const results = dirname(realpathSync(file));
    const projects = realpathSync(dirname(transcriptPath));
    if (basename(results) !== "tool-results" || dirname(dirname(results)) !== projects) return undefined;
    return readBothEnds(join(results, basename(file)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"].includes(code ?? ""))
      return undefined;
    throw error;
  }
}

function readBothEnds(path: string): string | undefined {
  using file = openTranscript(path);
  if (!file) return undefined;
  const { fd, size } = file;
  if (size <= mostBytes) return readAt(fd, 0, size).toString();
  const half = mostBytes / 2;
  const [head, tail] = [readAt(fd, 0, half).toString(), readAt(fd, size - half, half).toString()];
  return `${head}\n[… ${size - mostBytes} bytes left out; all of it was in ${sep}tool-results${sep}${basename(path)} …]\n${tail}`;
}
