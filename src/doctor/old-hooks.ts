import type { Env } from "../env.ts";
import { findOldHooks, removalOf } from "../install/old-hooks.ts";
import { broken, type Finding } from "./finding.ts";

/** The earlier Node program's hooks, file by file. */
export function checkOldHooks(env: Env): Finding[] {
  const found = Map.groupBy(findOldHooks(env), ({ file }) => file);
  return [...found].map(([file, hooks]) => {
    const events = hooks.map(({ event }) => event).join(", ");
    return broken(
      `${file} has hooks of the earlier program: ${events}`,
      "both programs at once store and tell everything twice",
      "throughline doctor --fix takes them out and keeps a copy of the file beside it",
      removalOf(file),
    );
  });
}
