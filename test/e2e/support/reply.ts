import { isConversation, promptOf, type Request, toolResultOf } from "./request.ts";
import { answerTo, endOf, labelIn, openingOf } from "./talk.ts";

export type ReplyBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, string> };

/** What the stand-in answers, and how: `pauses` leaves the text half said until the client hangs up. */
export interface Reply {
  blocks: ReplyBlock[];
  end: string;
  isLast: boolean;
  pauses: boolean;
}

/** The thinking that no request after `/clear` may show. */
export const thought = "A thought that belongs to this turn alone.";

/**
 * Decides the reply by markers in the newest prompt: `BASH:<command to the end of the line>` calls the tool first,
 * `THINK` thinks first, `BIG:<n>` and `CJK:<n>` answer that many characters, `SLOWLY` stops in the middle.
 */
export function replyTo(request: Request, number: number): Reply {
  const prompt = promptOf(request);
  const command = /BASH:(.*)/.exec(prompt)?.[1]?.trim();
  const label = labelIn(prompt) ?? `reply ${number}`;
  const thinking: ReplyBlock[] = /\bTHINK\b/.test(prompt)
    ? [{ type: "thinking", thinking: thought, signature: "c2ln" }]
    : [];
  if (command !== undefined && isConversation(request) && toolResultOf(request) === undefined) {
    const input = { command, description: "Runs what was asked for" };
    const call: ReplyBlock = {
      type: "tool_use",
      id: `toolu_${number}_${Date.now().toString(36)}`,
      name: "Bash",
      input,
    };
    const blocks = [...thinking, { type: "text" as const, text: openingOf(label) }, call];
    return { blocks, end: endOf(label), isLast: false, pauses: false };
  }
  const text = labelIn(prompt) === undefined ? plainAnswer(prompt, label) : answerTo(label).join("\n");
  return {
    blocks: [...thinking, { type: "text", text }],
    end: endOf(label),
    isLast: true,
    pauses: /\bSLOWLY\b/.test(prompt),
  };
}

function plainAnswer(prompt: string, label: string): string {
  const size = /\b(BIG|CJK):(\d+)/.exec(prompt);
  const unit = size?.[1] === "CJK" ? "記憶を引き継ぐ会話の本文です。" : "lorem ipsum dolor sit amet ";
  const length = Number(size?.[2] ?? 0);
  return `Answer to ${label}. ${unit.repeat(Math.ceil(length / unit.length)).slice(0, length)}\n${endOf(label)}`;
}
