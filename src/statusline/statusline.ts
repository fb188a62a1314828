import { dropRelativePath, type Env } from "../env.ts";
import { print } from "../output.ts";
import { chainedCommand, runChained } from "./chained.ts";
import { renderLine } from "./line.ts";
import { readState } from "./state.ts";
import { parseTold } from "./told.ts";

/** What the client leaves free beside the line. */
const margin = 4;
const usualWidth = 80;

/**
 * The status line: what the client tells on stdin in, one line out, under what the person's own status line prints. Writes
 * nothing anywhere else, and whatever goes wrong is a shorter line.
 */
export async function statusline(env: Env, stdin: string): Promise<void> {
  const told = parseTold(stdin);
  if (!told) return await print("throughline statusline reads what Claude Code writes on stdin: see --help\n");
  const command = chainedCommand(env, told.projectFolder);
  if (command !== undefined) dropRelativePath();
  const theirs = command === undefined ? undefined : runChained(command, stdin);
  const columns = Number(env.vars.COLUMNS);
  const line = renderLine(
    { tokens: told.tokens, window: told.window, ...readState(env, told.sessionId) },
    {
      width: Math.max(10, (Number.isInteger(columns) && columns > 0 ? columns : usualWidth) - margin),
      colour: !env.vars.NO_COLOR,
    },
  );
  await print(
    [await theirs, line]
      .filter(Boolean)
      .map((text) => `${text}\n`)
      .join(""),
  );
}
