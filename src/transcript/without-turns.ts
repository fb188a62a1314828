import type { Reading } from "./reading.ts";

/** What a reader carries, without the words that it has of some turns. It goes on as if they had been said all the same. */
export function withoutTurns(reading: Reading, uuids: ReadonlySet<string>): Reading {
  const isGone = (uuid: string | null | undefined): boolean => uuid != null && uuids.has(uuid);
  const { turn, shell } = reading;
  return {
    ...reading,
    turn: turn && isGone(turn.uuid) ? { ...turn, promptStart: "" } : turn,
    command: isGone(reading.command?.uuid) ? null : reading.command,
    queued: reading.queued.map((queued) => (isGone(queued.turnUuid) ? { ...queued, text: "" } : queued)),
    shell: shell && (isGone(shell.turnUuid) || isGone(shell.uuid)) ? { ...shell, details: [] } : shell,
  };
}
