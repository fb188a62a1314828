import { z } from "zod";

const block = z.looseObject({ type: z.string(), text: z.optional(z.string()), content: z.optional(z.unknown()) });
const content = z.union([z.string(), z.array(block)]);
const body = z.looseObject({
  model: z.string(),
  stream: z.optional(z.boolean()),
  system: z.optional(content),
  messages: z.array(z.looseObject({ role: z.string(), content })),
  tools: z.optional(z.array(z.looseObject({ name: z.optional(z.string()) }))),
});

export type Request = z.infer<typeof body>;
type Block = z.infer<typeof block>;

/** Reads the body of one call; throws where the client sends what this harness does not know. */
export function parseRequest(raw: unknown): Request {
  return body.parse(raw);
}

/** True for the conversation itself, false for what the client asks on the side (titles, suggestions). */
export function isConversation(request: Request): boolean {
  return request.tools?.some((tool) => tool.name === "Bash") ?? false;
}

/** What the person typed last. */
export function promptOf(request: Request): string {
  const typed = request.messages
    .filter((message) => message.role === "user")
    .flatMap((message) => blocksOf(message.content))
    .filter((part) => part.type === "text" && !part.text?.trimStart().startsWith("<"));
  return typed.at(-1)?.text ?? "";
}

/** The tool outputs that the newest message brings, or undefined where it brings a prompt. */
export function toolResultOf(request: Request): string | undefined {
  const newest = request.messages.filter((message) => message.role === "user").at(-1);
  const results = blocksOf(newest?.content ?? []).filter((part) => part.type === "tool_result");
  return results.length === 0 ? undefined : results.map((part) => plainText(part.content)).join("\n");
}

/** Everything the model was sent as text, in order: the messages of every role, without the fixed system prompt. */
export function textOf(request: Request): string {
  return request.messages.map((message) => plainText(message.content)).join("\n");
}

function blocksOf(value: z.infer<typeof content>): Block[] {
  return typeof value === "string" ? [{ type: "text", text: value }] : value;
}

function plainText(value: unknown): string {
  const parsed = content.safeParse(value);
  if (!parsed.success) return "";
  return blocksOf(parsed.data)
    .map((part) => part.text ?? plainText(part.content))
    .join("\n");
}
