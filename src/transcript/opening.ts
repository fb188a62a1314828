import type { Change, TurnChange, TurnHead } from "../types.ts";
import { changeOf, copyMark, type Source, say, withdrawDetails } from "./changes.ts";
import { removeNoise } from "./noise.ts";
import { sayQueued } from "./queue.ts";
import type { Of, Reading } from "./reading.ts";

/** A prompt that was taken back before any answer is recognized by its beginning. */
const promptStartLength = 500;

/** The turn the entry belongs to: the open one, the one of the command it answers, or, in a file cut at its head, its own. */
export function turnFor(reading: Reading, changes: Change[], entry: Source): TurnChange {
  const command = reading.command;
  if (command) return openHeld(reading, changes, command);
  if (reading.turn) return changeOf(changes, reading.turn.uuid);
  return openTurn(reading, changes, { ...entry, parentUuid: null }, "", entry.at);
}

// Claude answers: what the person did was a prompt. What a shell command printed moves to its turn.
function openHeld(reading: Reading, changes: Change[], command: Of<"command">): TurnChange {
  const { shell } = reading;
  const change = openTurn(reading, changes, command, command.text);
  if (shell && shell.uuid === command.uuid) {
    if (shell.turnUuid !== null) withdrawDetails(changes, shell.turnUuid, shell.details);
    change.details.push(...shell.details);
  }
  return change;
}

/** Opens a turn; from now on it is the one that lines belong to. */
export function openTurn(
  reading: Reading,
  changes: Change[],
  placed: Source & { parentUuid: string | null; cwd?: string },
  text: string,
  headlessAt: number | null = null,
): TurnChange {
  const { uuid, parentUuid, at } = placed;
  const head: TurnHead = { uuid, parentUuid, startedAt: at, prompt: removeNoise(text), ...copyMark(placed) };
  const own = reading.lead.indexOf(uuid);
  head.lead = own === -1 ? reading.lead : reading.lead.slice(0, own);
  if (placed.cwd !== undefined) head.cwd = placed.cwd;
  const change: TurnChange = { head, uuid, messages: [], withdrawn: [], details: reading.waiting };
  changes.push({ type: "turn", turn: change });
  reading.turn = { uuid, parentUuid, promptStart: text.slice(0, promptStartLength), answered: false, headlessAt };
  reading.command = null;
  reading.shell = null;
  reading.waiting = [];
  say(change, placed, "user", text);
  sayQueued(reading, change);
  return change;
}
