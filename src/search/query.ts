/** What is looked for: each term anywhere in a turn, and none of the others. */
export interface Query {
  terms: readonly string[];
  without: readonly string[];
}

/** Reads words, "phrases" and -words; a word is any substring, whatever its case. `undefined` where nothing is asked for. */
export function parseQuery(text: string): Query | undefined {
  const terms: string[] = [];
  const without: string[] = [];
  for (const [, minus, phrase, word] of text.matchAll(/(-)?(?:"([^"]+)"|(\S+))/gu)) {
    const term = (phrase ?? word ?? "").trim();
    if (term !== "") (minus ? without : terms).push(term);
  }
  return terms.length > 0 ? { terms, without } : undefined;
}

/** Finds a term in a text as `grep -i -F` does. */
export const finderOf = (term: string): RegExp => new RegExp(term.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "giu");

const around = 90;

/** The text around the first of the hits, on one line, each hit between marks. */
export function snippetOf(text: string, finders: readonly RegExp[], mark: (hit: string) => string): string {
  const first = Math.min(...finders.map((finder) => search(text, finder)));
  const [from, to] = [Math.max(0, first - around), Math.min(text.length, first + 2 * around)];
  const cut = text.slice(from, to).toWellFormed().replaceAll("\ufffd", "");
  const all = new RegExp(finders.map(({ source }) => source).join("|"), "giu");
  const marked = cut.replace(/\s+/g, " ").trim().replace(all, mark);
  return `${from > 0 ? "…" : ""}${marked}${to < text.length ? "…" : ""}`;
}

const search = (text: string, finder: RegExp): number => {
  const at = text.search(finder);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
};
