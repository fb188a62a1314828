import { asksForLines, linesFor } from "./lines.ts";
import { isConversation, promptOf, type Request, toolResultOf } from "./request.ts";
import { answerTo, endOf, labelIn, openingOf } from "./talk.ts";

export type ReplyBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

/** What the stand-in answers, and where it stops until the test lets it go on or the client hangs up. */
export interface Reply {
  blocks: ReplyBlock[];
  end: string;
  isLast: boolean;
  stops: "never" | "before" | "midway";
}

/** The thinking that no request after `/clear` may show. */
export const thought = "A thought that belongs to this turn alone.";

/**
 * Decides the reply by markers in the newest prompt: `BASH:<command to the end of the line>` calls the tool first,
 * `CALL:<tool> <input as JSON to the end of the line>` any other one, `THINK` thinks first, `BIG:<n>` and `CJK:<n>`
 * answer that many characters, `SAYS:<JSON string>` that text, `SLOWLY` stops in the middle of the last text, `HELD` before the first sign of each answer.
 */
export function replyTo(request: Request, number: number): Reply {
  if (asksForLines(request)) return { blocks: [linesFor(request, number)], end: "", isLast: false, stops: "never" };
  const prompt = promptOf(request);
  const label = labelIn(prompt) ?? `reply ${number}`;
  const thinking: ReplyBlock[] = /\bTHINK\b/.test(prompt)
    ? [{ type: "thinking", thinking: thought, signature: "c2ln" }]
    : [];
  const call = isConversation(request) && toolResultOf(request) === undefined ? callIn(prompt) : undefined;
  if (call !== undefined) {
    const id = `toolu_${number}_${Date.now().toString(36)}`;
    const opening = { type: "text" as const, text: openingOf(label) };
    const blocks = [...thinking, opening, { type: "tool_use" as const, id, ...call }];
    return { blocks, end: endOf(label), isLast: false, stops: /\bHELD\b/.test(prompt) ? "before" : "never" };
  }
  const text = labelIn(prompt) === undefined ? plainAnswer(prompt, label) : answerTo(label).join("\n");
  return {
    blocks: [...thinking, { type: "text", text }],
    end: endOf(label),
    isLast: true,
    stops: /\bHELD\b/.test(prompt) ? "before" : /\bSLOWLY\b/.test(prompt) ? "midway" : "never",
  };
}

function callIn(prompt: string): { name: string; input: Record<string, unknown> } | undefined {
  const command = /BASH:(.*)/.exec(prompt)?.[1]?.trim();
  if (command !== undefined) return { name: "Bash", input: { command, description: "Runs what was asked for" } };
  const [, name, input] = /CALL:(\w+) (\{.*\})/.exec(prompt) ?? [];
  return name === undefined || input === undefined ? undefined : { name, input: JSON.parse(input) };
}

function plainAnswer(prompt: string, label: string): string {
  const said = /\bSAYS:("(?:[^"\\]|\\.)*")/.exec(prompt)?.[1];
  if (said !== undefined) return `${JSON.parse(said)}\n${endOf(label)}`;
  const size = /\b(BIG|CJK):(\d+)/.exec(prompt);
  const unit = size?.[1] === "CJK" ? "記憶を引き継ぐ会話の本文です。" : "lorem ipsum dolor sit amet ";
  const length = Number(size?.[2] ?? 0);
  return `Answer to ${label}. ${unit.repeat(Math.ceil(length / unit.length)).slice(0, length)}\n${endOf(label)}`;
}
