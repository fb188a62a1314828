import type { Reply, ReplyBlock } from "./reply.ts";

const usage = {
  input_tokens: 1000,
  cache_creation_input_tokens: 200,
  cache_read_input_tokens: 3000,
  output_tokens: 50,
};

/** The reply as one JSON message, for a caller that does not stream. */
export function messageOf(reply: Reply, model: string): Record<string, unknown> {
  const stop_reason = reply.isLast ? "end_turn" : "tool_use";
  const id = `msg_${crypto.randomUUID()}`;
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: reply.blocks,
    stop_reason,
    stop_sequence: null,
    usage,
  };
}

/** The reply as server-sent events; one that stops goes on when `goOn` fires, and never when `hangUp` does. */
export async function* eventsOf(
  reply: Reply,
  model: string,
  goOn: AbortSignal,
  hangUp: AbortSignal,
): AsyncGenerator<string> {
  const { stop_reason, ...message } = messageOf(reply, model);
  if (reply.stops === "before") await eitherOf(goOn, hangUp);
  if (hangUp.aborted) return;
  yield event("message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of reply.blocks.entries()) {
    yield event("content_block_start", { index, content_block: emptied(block) });
    for (const delta of deltasOf(block, reply.stops === "midway")) {
      yield event("content_block_delta", { index, delta });
      if (reply.stops === "midway") await eitherOf(goOn, hangUp);
      if (hangUp.aborted) return;
    }
    yield event("content_block_stop", { index });
  }
  yield event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 50 } });
  yield event("message_stop", {});
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function emptied(block: ReplyBlock): object {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return { ...block, input: {} };
}

function deltasOf(block: ReplyBlock, inHalves: boolean): object[] {
  if (block.type === "tool_use") return [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  if (block.type === "thinking") {
    return [
      { type: "thinking_delta", thinking: block.thinking },
      { type: "signature_delta", signature: block.signature },
    ];
  }
  const half = block.text.length / 2;
  const texts = inHalves ? [block.text.slice(0, half), block.text.slice(half)] : [block.text];
  return texts.map((text) => ({ type: "text_delta", text }));
}

function eitherOf(...signals: AbortSignal[]): Promise<void> {
  const either = AbortSignal.any(signals);
  return new Promise((resolve) => {
    if (either.aborted) resolve();
    either.addEventListener("abort", () => resolve(), { once: true });
  });
}
