import { lineLimit, longestText, type Wanted } from "./queue.ts";

/** Dollars for a million tokens of Claude Haiku 4.5, read and written. */
const price = { input: 1, output: 5 };
/** What a run sends beside its turns, shared by about ten turns; measured with 2.1.332: 3.5 KB. */
const overhead = 90;
/** Lines are mostly about half as long as they may be. */
const share = 0.5;

/** About how many tokens making these lines takes, and what that costs at list price. */
export function estimateCost(turns: readonly Wanted[]): { tokens: number; dollars: number } {
  let [input, output] = [0, 0];
  for (const { text, said } of turns) {
    const sent = text.slice(0, longestText);
    const perCharacter = tokensIn(sent) / Math.max(1, sent.length);
    input += tokensIn(sent) + overhead;
    output += Math.min(lineLimit(said), said.length) * share * perCharacter;
  }
  return {
    tokens: Math.round(input + output),
    dollars: (input * price.input + output * price.output) / 1_000_000,
  };
}

/** Four ASCII characters, or one of any other script, to a token. */
const tokensIn = (text: string): number => {
  const ascii = text.match(/[ -~\s]/g)?.length ?? 0;
  return ascii / 4 + (text.length - ascii);
};
