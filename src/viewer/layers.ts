/** What a turn added to its context, in tokens: what was said (L2), tool traffic (L3), and the size that the client reported. */
export interface TurnTokens {
  name: string;
  said: number;
  tools: number;
  /** `null` where the client did not say. */
  context: number | null;
}

/** What fills the context after a turn. */
export interface Filling {
  name: string;
  said: number;
  tools: number;
  /** The client's instructions and tool definitions, what was restored, thinking, images. */
  rest: number;
}

/** A context that shrank to less than this share of what it was, was compacted: what was said before is no longer in it. */
const shrunk = 0.7;

/**
 * What fills the context after each turn. Texts are estimates and the context's size is the client's own figure: where
 * they come to more, they are taken for that much less.
 */
export function fillContext(turns: readonly TurnTokens[]): Filling[] {
  let [said, tools, before] = [0, 0, 0];
  return turns.map((turn) => {
    if (turn.context !== null && turn.context < before * shrunk) [said, tools] = [0, 0];
    said += turn.said;
    tools += turn.tools;
    const context = turn.context ?? Math.max(before, said + tools);
    before = context;
    const fit = Math.min(1, context / Math.max(1, said + tools));
    const filling = { name: turn.name, said: Math.round(said * fit), tools: Math.round(tools * fit) };
    return { ...filling, rest: Math.max(0, context - filling.said - filling.tools) };
  });
}

/** At most so many of a row, evenly, with the first and the last. */
export function thin<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, n) => items[Math.round((n * (items.length - 1)) / (most - 1))] as Item);
}
