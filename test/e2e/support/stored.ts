import { expect } from "bun:test";
import { z } from "zod";
import { type Home, transcriptsIn } from "./home.ts";
import { runThroughline } from "./plugin.ts";

const message = z.object({ uuid: z.string(), role: z.enum(["user", "assistant"]), text: z.string() });
const detail = z.object({
  kind: z.string(),
  tool: z.nullable(z.string()),
  input: z.nullable(z.string()),
  output: z.nullable(z.string()),
});
const turn = z.object({
  type: z.literal("turn"),
  uuid: z.string(),
  state: z.string(),
  messages: z.array(message),
  prompt: z.array(z.string()),
  answer: z.array(z.string()),
  details: z.array(detail),
});

/** A turn as the program exports it. */
export type StoredTurn = z.infer<typeof turn>;

/** What is held of a session that was left; the store must agree with a fresh reading of the whole transcript. */
export async function heldOf(home: Home, sessionId: string): Promise<StoredTurn[]> {
  const path = transcriptsIn(home).get(sessionId);
  if (path === undefined) throw new Error(`the client keeps no transcript of ${sessionId}`);
  const stored = turnsIn(await runThroughline(home, ["export", "--session", sessionId]));
  expect(stored).toEqual(turnsIn(await runThroughline(home, ["export", "--transcript", path])));
  return stored;
}

/** Who said what in the turns that were not left, a turn each. */
export function talkIn(turns: StoredTurn[]): string[][] {
  return turns
    .filter(({ state }) => state !== "left")
    .map(({ messages }) => messages.map(({ role, text }) => `${role}: ${text}`));
}

/** The inputs and outputs of every tool, and the notices, of these turns as one text. */
export function detailsIn(turns: StoredTurn[]): string {
  return turns.flatMap(({ details }) => details.flatMap(({ input, output }) => [input, output])).join("\n");
}

function turnsIn(exported: string): StoredTurn[] {
  const lines = exported.trimEnd().split("\n");
  const objects = lines.map((line): { type: unknown } => JSON.parse(line));
  return objects.filter(({ type }) => type === "turn").map((object) => turn.parse(object));
}
