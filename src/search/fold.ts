/**
 * A text as the index knows it: whatever the finder of a term (`finderOf`) takes for the same letter is the same here. Each
 * character is folded by itself, so a part of a text folds to a part of the folded text.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  // Up and down again brings together what only capitals have in common, as s and ſ. A final sigma depends on its place.
  return isAscii(lower) ? lower : lower.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

const isAscii = (text: string): boolean => !/[^\u0000-\u007f]/.test(text);
