import type { Earlier, EarlierDetail, EarlierRow, EarlierText } from "../store/earlier.ts";
import type { Detail, DetailKind, Message } from "../types.ts";

/** A turn of the earlier program as it is stored here. Times are UTC milliseconds. */
export interface EarlierTurn {
  uuid: string;
  /** Claude Code's id of the session it was said in. */
  session: string;
  /** The session that its rows were handed on to, in the end. */
  owner: string;
  startedAt: number;
  messages: Message[];
  details: Detail[];
  summary: string | null;
}

/** What the uuids of turns and messages begin with that only the earlier program knew. */
export const earlierPrefix = "earlier:";

const kinds: readonly string[] = ["tool_input", "tool_output", "system", "image"] satisfies DetailKind[];

/**
 * The turns of the earlier program's database, each in the session it was said in, in order. A detail without a turn
 * goes to the one its time falls in.
 * @returns what has no place here is counted by its kind
 */
export function toTurns({ skeletons, bodies, details }: Earlier): {
  turns: EarlierTurn[];
  leftOut: Map<string, number>;
} {
  const turns = new Map<string, EarlierTurn>();
  const leftOut = new Map<string, number>();
  const open = (row: EarlierRow): EarlierTurn => {
    const uuid = `${earlierPrefix}${row.origin}:${row.turn}`;
    const turn = turns.get(uuid) ?? newTurn(uuid, row);
    turn.startedAt = Math.min(turn.startedAt, row.createdAt);
    turns.set(uuid, turn);
    return turn;
  };
  for (const body of bodies) addMessage(open(body), body);
  for (const { text, ...skeleton } of skeletons) {
    const turn = open(skeleton);
    turn.summary = turn.summary === null ? text : `${turn.summary} ${text}`;
  }
  const drop = (what: string) => leftOut.set(what, (leftOut.get(what) ?? 0) + 1);
  // Those with a turn first: they make turns that the others can fall in.
  for (const detail of details.filter(({ turn }) => turn !== null)) addDetail(open(detail), detail, drop);
  const bySession = Map.groupBy(inOrder([...turns.values()]), ({ session }) => session);
  for (const detail of details.filter(({ turn }) => turn === null)) {
    const ofSession = bySession.get(detail.origin) ?? bySession.get(detail.owner) ?? [];
    const turn = ofSession.findLast(({ startedAt }) => startedAt <= detail.createdAt) ?? ofSession[0];
    if (turn) addDetail(turn, detail, drop);
    else drop("details without a turn");
  }
  return { turns: inOrder([...turns.values()]), leftOut };
}

const inOrder = (turns: EarlierTurn[]): EarlierTurn[] =>
  turns.sort((a, b) => a.startedAt - b.startedAt || (a.uuid < b.uuid ? -1 : 1));

const newTurn = (uuid: string, { origin, owner, createdAt }: EarlierRow): EarlierTurn => ({
  uuid,
  session: origin,
  owner,
  startedAt: createdAt,
  messages: [],
  details: [],
  summary: null,
});

// The prompt's id is the turn's, as everywhere.
function addMessage(turn: EarlierTurn, { role, text, createdAt }: EarlierText): void {
  const ofUser = role === "user";
  const sourceId = ofUser ? turn.uuid : `${turn.uuid}:${role}`;
  turn.messages.push({ sourceId, role: ofUser ? "user" : "assistant", at: createdAt, text, copied: true });
}

// Up to version 4 a row was a call, a result, or both.
function addDetail(turn: EarlierTurn, detail: EarlierDetail, drop: (what: string) => void): void {
  const { kind, input, output, tool, createdAt: at, row } = detail;
  if (kind === "thinking") return drop("thinking");
  const id = detail.sourceId ?? `${earlierPrefix}${row}`;
  const base = { at, copied: true as const };
  if (kind !== null && detail.sourceId !== null) {
    const known = kinds.includes(kind) ? (kind as DetailKind) : "system";
    const named = known === "tool_output" ? {} : { tool };
    turn.details.push({ ...base, sourceId: id, kind: known, ...named, ...texts(input, output) });
    return;
  }
  if (input !== null) turn.details.push({ ...base, sourceId: id, kind: "tool_input", tool, input });
  if (output !== null) turn.details.push({ ...base, sourceId: `${id}:result`, kind: "tool_output", output });
}

const texts = (input: string | null, output: string | null) => ({
  ...(input === null ? {} : { input }),
  ...(output === null ? {} : { output }),
});
