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

/** The turns that the store lists for a session, those that were left too. */
export async function storedOf(home: Home, sessionId: string): Promise<StoredTurn[]> {
  return turnsIn(await runThroughline(home, ["export", "--session", sessionId]));
}

/** The turns that the program reads from a session's transcript as it stands now. */
export async function readOf(home: Home, sessionId: string): Promise<StoredTurn[]> {
  const path = transcriptsIn(home).get(sessionId);
  if (path === undefined) throw new Error(`the client keeps no transcript of ${sessionId}`);
  return turnsIn(await runThroughline(home, ["export", "--transcript", path]));
}

/** The output of every tool and notice of a turn, as one text. */
export function outputsOf(stored: StoredTurn): string {
  return stored.details.map(({ output }) => output ?? "").join("\n");
}

function turnsIn(exported: string): StoredTurn[] {
  const lines = exported.trimEnd().split("\n");
  const objects = lines.map((line): { type: unknown } => JSON.parse(line));
  return objects.filter(({ type }) => type === "turn").map((object) => turn.parse(object));
}
