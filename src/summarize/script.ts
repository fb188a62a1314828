const scripts = {
  latin: /\p{Script=Latin}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  han: /\p{Script=Han}/gu,
  hangul: /\p{Script=Hangul}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  thai: /\p{Script=Thai}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
} as const;
type Script = keyof typeof scripts;

/** Words that a text of the language is full of and texts of the others are not. */
const commonWords: Readonly<Record<string, ReadonlySet<string>>> = {
  english: new Set("the and of is was are with that this for not it you from have has be on".split(" ")),
  german: new Set("der die das und ist nicht ein eine mit den dem auf für wird wurde von zu sich im".split(" ")),
  french: new Set("le les des est une dans pour pas que qui sur avec du ce au la et nous vous".split(" ")),
  spanish: new Set("el los las una por para con que del no se es en como pero más fue la y".split(" ")),
  portuguese: new Set("o os as uma para com não que do da em foi mais como se e dos ao".split(" ")),
  italian: new Set("il gli che non una per con di del è sono nel alla come più della e si".split(" ")),
};

/** Prose alone: code, paths and addresses are in nobody's language. */
const proseOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/`[^`\n]*`|\S*[/\\_=<>{}]\S*/g, " ")
    .slice(0, 40_000);

/** Whether a line is in another language than the text it tells of, as far as scripts and common words show. */
export function isOtherLanguage(line: string, text: string): boolean {
  const [told, original] = [sharesOf(proseOf(line)), sharesOf(proseOf(text))];
  if (told.letters < 12 || original.letters < 12) return false;
  if (original.share("kana") > 0.1) return told.share("kana") < 0.03;
  if (original.share("kana") === 0 && told.share("kana") > 0.2) return true;
  for (const script of Object.keys(scripts) as Script[]) {
    if (script === "kana") continue;
    if (original.share(script) > 0.5 && told.share(script) < 0.15) return true;
  }
  const [of, in_] = [languageOf(text), languageOf(line)];
  return of !== undefined && in_ !== undefined && of !== in_;
}

function sharesOf(text: string): { letters: number; share: (script: Script) => number } {
  const counts = Object.entries(scripts).map(([name, pattern]) => [name, text.match(pattern)?.length ?? 0] as const);
  const letters = counts.reduce((sum, [, count]) => sum + count, 0);
  const found = new Map<string, number>(counts);
  return { letters, share: (script) => (letters === 0 ? 0 : (found.get(script) ?? 0) / letters) };
}

// A language counts where its words are twice as many as any other's and a tenth of all.
function languageOf(text: string): string | undefined {
  const words =
    proseOf(text)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length < 8) return undefined;
  const scores = Object.entries(commonWords)
    .map(([name, common]) => ({ name, score: words.filter((word) => common.has(word)).length }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = scores;
  if (!best || best.score < Math.max(3, words.length / 10)) return undefined;
  return best.score >= 2 * (next?.score ?? 0) ? best.name : undefined;
}
