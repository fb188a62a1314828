import type { Env } from "../env.ts";

/**
 * One hook: what the client wrote on stdin in, what goes to stdout out. A thrown error becomes one line on stderr and
 * exit code 1.
 */
export type Hook = (
  env: Env,
  stdin: string,
  args: readonly string[],
) => string | undefined | Promise<string | undefined>;
