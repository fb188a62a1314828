/** Input that a command does not take: one line that says what it takes, and exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
