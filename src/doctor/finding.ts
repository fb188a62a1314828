import type { Step } from "../install/steps.ts";

/** One thing that was looked at. */
export interface Finding {
  /** `broken` needs the person; `note` is worth knowing. */
  level: "ok" | "note" | "broken";
  what: string;
  /** Why it matters. */
  why?: string;
  /** What to type or do about it; there for all that is not ok. */
  todo?: string;
  /** What `--fix` does about it. */
  fix?: Step[];
}

export const ok = (what: string): Finding => ({ level: "ok", what });

export const note = (what: string, why: string, todo: string): Finding => ({ level: "note", what, why, todo });

export const broken = (what: string, why: string, todo: string, fix?: Step[]): Finding => ({
  level: "broken",
  what,
  why,
  todo,
  ...(fix === undefined ? {} : { fix }),
});
