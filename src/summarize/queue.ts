/** A turn that wants a line: its text as the model is to see it, and how far the making has come. */
export interface Wanted {
  id: number;
  /** What was said, each speech headed by who said it. */
  text: string;
  /** The same without who said it: what a line is measured by. */
  said: string;
  /** What is stored of it, to see later whether it is still the same. */
  stored: string;
  tries: number;
  /** What was wrong with the last answer; empty where there was none. */
  reason: string;
}

/** The most that goes into one run. */
export interface BatchLimits {
  turns: number;
  /** UTF-16 units of turns' text. */
  input: number;
  /** UTF-16 units of lines, at their longest. */
  output: number;
}

/**
 * Ten turns keep a run's overhead small. The model writes 8,000 characters in about a minute and a half; 90,000 of input
 * are within its context in any script.
 */
export const batchLimits: BatchLimits = { turns: 10, input: 90_000, output: 8_000 };

/** A line's upper limit in UTF-16 units: a fifth of the turn, between 600 and 2,000. A tenth loses one of four topics. */
export const lineLimit = (said: string): number => Math.min(2_000, Math.max(600, Math.floor(said.length / 5)));

/** Two retries. */
export const mostTries = 3;

/**
 * The next run's turns, newest first as they come: as many as fit, at least one. A turn that failed before goes alone
 * with its like, so that one bad turn does not spoil the others a second time.
 */
export function nextBatch(newestFirst: Iterable<Wanted>, limits: BatchLimits): Wanted[] {
  const batch: Wanted[] = [];
  let [input, output] = [0, 0];
  for (const turn of newestFirst) {
    input += Math.min(turn.text.length, longestText);
    output += lineLimit(turn.said);
    const isFull = input > limits.input || output > limits.output || batch.length >= limits.turns;
    const isOther = batch[0] !== undefined && batch[0].tries > 0 !== turn.tries > 0;
    if (batch.length > 0 && (isFull || isOther)) break;
    batch.push(turn);
  }
  return batch;
}

/** The most of one turn's text that is sent, in UTF-16 units. */
export const longestText = 30_000;
