import type { Masks } from "./masks.ts";

/** What a whole turn holds of texts, in a store, an export or another program's database. */
interface Texts {
  messages: readonly { text: string }[];
  details: readonly { input?: string | null; output?: string | null }[];
  summary: string | null;
}

/** A turn with masks in it. */
export function maskTurn<Turn extends Texts>(turn: Turn, { details, words }: Masks): Turn {
  return {
    ...turn,
    messages: turn.messages.map((message) => ({ ...message, text: words(message.text) })),
    details: turn.details.map((detail) => ({
      ...detail,
      ...(detail.input == null ? {} : { input: details(detail.input) }),
      ...(detail.output == null ? {} : { output: details(detail.output) }),
    })),
    summary: turn.summary === null ? null : details(turn.summary),
  };
}
