/** Input that a command does not take: one line that says what it takes, and exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The person ended the command: one line that says how to go on, and exit code 130. */
export class InterruptedError extends Error {
  override name = "InterruptedError";
}
