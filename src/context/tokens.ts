/** About how many tokens a text is: four ASCII characters, or one of any other script, to a token. */
export function estimateTokens(text: string): number {
  const ascii = text.replace(/[^\u0020-\u007e\s]/g, "").length;
  return Math.ceil(ascii / 4 + (text.length - ascii));
}
