/** A text without its `<name>…</name>` elements, and those elements. */
export interface Cut {
  text: string;
  elements: string[];
}

/**
 * Cuts elements out of a text, each with the blanks behind it. An element that is never closed stays. Linear in the
 * text, which no pattern with a lazy middle is.
 */
export function cutElements(text: string, names: readonly string[]): Cut {
  let rest = text;
  const elements: string[] = [];
  for (const name of names) {
    const [open, close] = [`<${name}>`, `</${name}>`];
    const kept: string[] = [];
    let at = 0;
    for (let from = rest.indexOf(open); from !== -1; from = rest.indexOf(open, at)) {
      const end = rest.indexOf(close, from);
      if (end === -1) break;
      kept.push(rest.slice(at, from));
      elements.push(rest.slice(from, end + close.length));
      at = end + close.length;
      while (/\s/.test(rest[at] ?? "")) at += 1;
    }
    rest = kept.join("") + rest.slice(at);
  }
  return { text: rest, elements };
}
