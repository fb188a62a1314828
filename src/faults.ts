import type { Env } from "./env.ts";

/** Ends the process on the spot where a test build is told to by `THROUGHLINE_FAULT`; nothing in a released build. */
export function failAt(env: Env, point: string): void {
  if (typeof THROUGHLINE_FAULTS === "undefined" || !THROUGHLINE_FAULTS) return;
  if (env.vars.THROUGHLINE_FAULT === point) process.kill(process.pid, "SIGKILL");
}
