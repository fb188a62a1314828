/** How an import runs beside everything else: it is told how far it got, and asks whether to stop. */
export interface Work {
  /** So many more bytes are read. */
  tick: (bytes: number) => void;
  /** True once the person wants it to end; what is stored by then stays, and the next import goes on from there. */
  stopped: () => boolean;
}

/** Milliseconds after which the loop lets signals and the progress line in. */
export const sliceTime = 100;

/** The person ended the import. */
export class StoppedError extends Error {
  override name = "StoppedError";
}

/**
 * Lets signals and the progress line in.
 * @throws StoppedError when the person wants the import to end
 */
export async function breathe(work: Work): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (work.stopped()) throw new StoppedError("stopped");
}
