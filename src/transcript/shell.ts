import type { Change, Detail } from "../types.ts";
import { changeOf } from "./changes.ts";
import { removeNoise } from "./noise.ts";
import { openTurn } from "./opening.ts";
import type { Of, Reading } from "./reading.ts";

/** A `!command`: a tool's input of the turn that is open; a turn of its own where there is none, or where Claude answers. */
export function followShell(reading: Reading, changes: Change[], entry: Of<"shell">): void {
  const text = `!${entry.text}`;
  const before = reading.turn?.uuid ?? null;
  if (before === null) openTurn(reading, changes, entry, text);
  else reading.command = { ...entry, kind: "command", text, asksClaude: true, own: false };
  reading.shell = { uuid: entry.uuid, turnUuid: before, details: [] };
  keep(reading, changes, {
    sourceId: entry.uuid,
    kind: "tool_input",
    tool: "!",
    at: entry.at,
    input: removeNoise(entry.text),
  });
}

/** What a `!command` printed. */
export function followShellOutput(reading: Reading, changes: Change[], entry: Of<"shell_output">): void {
  const sourceId = `${reading.shell?.uuid ?? entry.uuid}:result`;
  keep(reading, changes, {
    sourceId,
    kind: "tool_output",
    tool: "!",
    at: entry.at,
    output: removeNoise(entry.text),
  });
}

function keep(reading: Reading, changes: Change[], detail: Detail): void {
  reading.shell?.details.push(detail);
  if (reading.turn) changeOf(changes, reading.turn.uuid).details.push(detail);
}
