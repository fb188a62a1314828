/** A transcript to import. Times are UTC milliseconds. */
export interface TranscriptFile {
  path: string;
  /** Bytes. */
  size: number;
  modifiedAt: number;
  sessionId: string;
  /** By the first folder it names. */
  project: string;
  startedAt: number;
  entrypoint: string | undefined;
  headless: boolean;
  /** It begins with `/clear`. */
  cleared: boolean;
  /** Unpacked from an archive: gone when the import is done. */
  temporary: boolean;
}

/** What an import would read. */
export interface Plan {
  transcripts: TranscriptFile[];
  /** Files of `throughline export`, `-` for stdin. */
  exports: { path: string; size: number }[];
  /** Databases of the earlier program. */
  databases: { path: string; size: number }[];
  /** Files that are none of these, by reason. */
  leftOut: Map<string, number>;
  /** Where archives were unpacked, to be removed when all is read. */
  unpacked: string[];
}

/** Input that cannot be imported: what it is, and what to do. */
export class ImportError extends Error {
  override name = "ImportError";
}

export const emptyPlan = (): Plan => ({
  transcripts: [],
  exports: [],
  databases: [],
  leftOut: new Map(),
  unpacked: [],
});

/** Counts something under a reason. */
export function count(counts: Map<string, number>, reason: string, times = 1): void {
  if (times > 0) counts.set(reason, (counts.get(reason) ?? 0) + times);
}

/** How many bytes a plan reads. */
export const bytesOf = (plan: Plan): number =>
  [...plan.transcripts, ...plan.exports, ...plan.databases].reduce((sum, { size }) => sum + size, 0);
