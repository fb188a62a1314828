import type { Database } from "bun:sqlite";
import { maskEntry } from "./mask/entries.ts";
import { defaultMasks, type Masks } from "./mask/masks.ts";
import { dropPrivate } from "./mask/private.ts";
import { type Checkpoint, passedOver, readCheckpoint, saveCheckpoint } from "./store/checkpoints.ts";
import { expectMuch } from "./store/open.ts";
import { type SaveOptions, saveChanges } from "./store/turns.ts";
import { toEntry } from "./transcript/entry.ts";
import { asText } from "./transcript/line.ts";
import { removeNoise } from "./transcript/noise.ts";
import { parseLine } from "./transcript/parse.ts";
import { readPersisted } from "./transcript/persisted.ts";
import { openTranscript, readStretch, type Transcript, tailAt } from "./transcript/read.ts";
import { emptyReading, type Reading } from "./transcript/reading.ts";
import { follow } from "./transcript/turns.ts";
import type { Change } from "./types.ts";

export interface IngestOptions extends SaveOptions {
  /** What is masked on the way in; absent: what the settings' defaults say. */
  masks?: Masks;
  /** Nothing is stored; what is read now is not read again. */
  passOver?: boolean;
  /** Nobody writes to the file any more: its last line counts without a newline. */
  finished?: boolean;
  /** Asked between stretches of about 1 MB; `true` stops the reading there, to be gone on with at the next event. */
  outOfTime?: () => boolean;
}

export interface Ingested {
  /** False where there is no transcript. */
  found: boolean;
  /** False where time ran out before the end of the file. */
  complete: boolean;
  /** How much was read. */
  bytes: number;
}

/** Bytes. */
const longReading = 4_000_000;

/**
 * Reads whatever a session's transcript holds beyond its checkpoint into the store: the one way text gets in.
 * Each stretch and its checkpoint are one short transaction, so a reader killed at any instant loses nothing and two
 * readers at once end in the same state.
 */
export function ingest(db: Database, sessionId: number, path: string, options: IngestOptions): Ingested {
  using transcript = openTranscript(path);
  if (!transcript) return { found: false, complete: true, bytes: 0 };
  const masks = options.masks ?? defaultMasks();
  for (let bytes = 0; ; ) {
    const stored = readCheckpoint(db, sessionId);
    const from = usable(stored, transcript) ?? fromTheBeginning(path, transcript);
    if (transcript.size - from.offset > longReading) prepareForLong(db);
    const stretch = readStretch(transcript, from.offset, options.finished);
    if (!stretch) return { found: true, complete: true, bytes };
    const reading = JSON.parse(from.reading) as Reading;
    const skipped = new Map(Object.entries(JSON.parse(from.skipped) as Record<string, number>));
    const changes = readChanges(reading, skipped, stretch.lines, masks);
    if (options.passOver) {
      if (changes.length > 0) skipped.set(passedOver, (skipped.get(passedOver) ?? 0) + stretch.lines.length);
      changes.length = 0;
    }
    readOutputs(path, changes, masks);
    const to: Checkpoint = {
      ...from,
      path,
      fileId: transcript.fileId,
      offset: stretch.next,
      tail: tailAt(transcript, stretch.next),
      reading: JSON.stringify(reading),
      skipped: JSON.stringify(Object.fromEntries(skipped)),
    };
    commit(db, sessionId, stored, to, changes, options);
    bytes += to.offset - from.offset;
    const complete = to.offset >= transcript.size;
    if (complete || options.outOfTime?.()) return { found: true, complete, bytes };
  }
}

// Waiting for the disk after every megabyte, and code that is never compiled, are for hooks that read one turn.
function prepareForLong(db: Database): void {
  expectMuch(db);
  Bun.unsafe.setJITPolicy(1);
}

// A file that shrank or was written anew is read from its beginning. A copy of the one that was read is not: what was passed
// over in that stays so.
function usable(stored: Checkpoint | undefined, transcript: Transcript): Checkpoint | undefined {
  if (!stored || stored.offset > transcript.size || stored.tail !== tailAt(transcript, stored.offset)) return undefined;
  return stored.offset > 0 || stored.fileId === transcript.fileId ? stored : undefined;
}

const fromTheBeginning = (path: string, transcript: Transcript): Checkpoint => ({
  path,
  fileId: transcript.fileId,
  offset: 0,
  tail: "",
  reading: JSON.stringify(emptyReading()),
  skipped: "{}",
});

// A map: a line may call its kind `constructor`.
function readChanges(reading: Reading, skipped: Map<string, number>, texts: readonly string[], masks: Masks): Change[] {
  const changes: Change[] = [];
  const skip = (reason: string, times: number): void => {
    if (times > 0) skipped.set(reason, (skipped.get(reason) ?? 0) + times);
  };
  for (const text of texts) {
    if (text.trim() === "") continue;
    const { lines, damaged } = parseLine(text);
    skip("not JSON", damaged);
    const isPrivate = /<private>/i.test(text);
    for (const line of lines) {
      const entry = maskEntry(toEntry(isPrivate ? dropPrivate(line) : line), masks);
      if (entry.kind === "skipped") skip(entry.reason, 1);
      follow(reading, changes, entry, line.isSidechain === true ? undefined : asText(line.uuid));
    }
  }
  return changes;
}

// A large output is in a file of its own, as long as the client keeps that.
function readOutputs(path: string, changes: readonly Change[], masks: Masks): void {
  for (const detail of changes.flatMap((change) => (change.type === "turn" ? change.turn.details : []))) {
    const whole = detail.outputFile && readPersisted(path, detail.outputFile);
    if (whole) detail.output = masks.details(removeNoise(whole));
  }
}

// When another reader was faster, nothing is written and the caller goes on from where that one got to.
function commit(
  db: Database,
  sessionId: number,
  from: Checkpoint | undefined,
  to: Checkpoint,
  changes: Change[],
  options: IngestOptions,
): void {
  db.transaction(() => {
    const stored = readCheckpoint(db, sessionId);
    if (stored?.offset !== from?.offset || stored?.fileId !== from?.fileId || stored?.tail !== from?.tail) return;
    saveChanges(db, sessionId, changes, options);
    saveCheckpoint(db, sessionId, to, options.now);
  }).immediate();
}
