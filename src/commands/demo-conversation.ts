import { type Scene, script } from "./demo-script.ts";

/** One turn of the demonstration with its place and time. */
export interface DemoTurn {
  /** UTC milliseconds. */
  at: number;
  n: number;
  scene: Scene;
}

const minute = 60_000;
const entriesPerTurn = 4;

/** The whole conversation: three minutes a turn, the last one a minute ago. */
export const conversation = (now: number): DemoTurn[] =>
  script.map((scene, n) => ({ scene, n, at: now - minute - (script.length - 1 - n) * 3 * minute }));

const uuidOf = (entry: number): string => `00000000-0000-4000-8000-${String(entry).padStart(12, "0")}`;

/** The turn as the client writes it to its transcript: one JSON object a line. */
export function transcriptLines({ at, n, scene }: DemoTurn, sessionId: string, cwd: string): string {
  const [prompt, name, input, output, answer] = scene;
  const usage = {
    input_tokens: 12,
    cache_read_input_tokens: 18_000 + n * 4_700,
    cache_creation_input_tokens: 900,
    output_tokens: 300,
  };
  const assistant = (block: unknown) => ({
    id: `msg_${n}`,
    role: "assistant",
    model: "claude-opus-5-5",
    content: [block],
    usage,
  });
  const messages = [
    { role: "user", content: prompt },
    assistant({ type: "tool_use", id: `toolu_${n}`, name, input }),
    { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${n}`, content: output }] },
    assistant({ type: "text", text: answer }),
  ];
  const lines = messages.map((message, step) => {
    const entry = n * entriesPerTurn + step;
    const parentUuid = entry === 0 ? null : uuidOf(entry - 1);
    const timestamp = new Date(at + step * 5_000).toISOString();
    return JSON.stringify({
      parentUuid,
      isSidechain: false,
      type: message.role,
      message,
      uuid: uuidOf(entry),
      timestamp,
      sessionId,
      cwd,
    });
  });
  return `${lines.join("\n")}\n`;
}
