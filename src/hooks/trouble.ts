import type { Database } from "bun:sqlite";
import { constants, readFileSync, rmSync } from "node:fs";
import type { Strings } from "../context/strings.ts";
import type { Env } from "../env.ts";
import { printable } from "../output.ts";
import { lastErrorFile } from "../paths.ts";
import { type Failure, tellFailures } from "../store/failures.ts";
import { wrongSettings } from "./settings.ts";

/** What went wrong where nobody could see it, told once, in one line; `undefined` when nothing did. */
export function tellTrouble(db: Database, env: Env, say: Strings): string | undefined {
  const failures = [...readLastError(env), ...tellFailures(db, env.now())];
  const newest = failures.at(-1);
  if (!newest) return undefined;
  const more = failures.length > 1 ? ` (+${failures.length - 1})` : "";
  const { event, message } = newest;
  return printable((event === wrongSettings ? say.wrongSettings(message) : say.failed(event, message)) + more);
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const asItIs = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

// Written when the database itself could not be opened; once told it is gone.
function readLastError(env: Env): Pick<Failure, "event" | "message">[] {
  const file = lastErrorFile(env);
  try {
    const { event, message } = JSON.parse(readFileSync(file, { encoding: "utf8", flag: asItIs }));
    rmSync(file);
    return [{ event: String(event), message: String(message) }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    rmSync(file, { force: true });
    return [{ event: "last-error", message: (error as Error).message }];
  }
}
