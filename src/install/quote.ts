/** A command as a person can type it in that platform's usual shell, whatever its words hold. */
export const quoted = (words: readonly string[], platform: NodeJS.Platform = process.platform): string =>
  words.map((word) => quoteWord(word, platform)).join(" ");

function quoteWord(word: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return /^[\w.:\\/@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
  return /^[\w./@:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
