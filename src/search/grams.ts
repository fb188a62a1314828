/**
 * A signature says which pairs and triples of UTF-16 code units a text has, each as one bit by its hash: a text that holds a
 * term has all of the term's bits. Pairs are for terms of two units, such as 認証.
 */
export const tripleBits = 16_384;
const pairBits = 4_096;
export const signatureBits = tripleBits + pairBits;

/** Beyond its first so many units a term is not looked at. Blocks of one text overlap by as much. */
export const longestPart = 64;

// Knuth's multiplicative hashing, with odd constants of MurmurHash3; the upper bits are the good ones.
const tripleOf = (a: number, b: number, c: number): number =>
  Math.imul(Math.imul(Math.imul(a, 0x9e3779b1) + b, 0x85ebca6b) + c, 0xc2b2ae35) >>> 18;
const pairOf = (a: number, b: number): number =>
  tripleBits + (Math.imul(Math.imul(a, 0x9e3779b1) + b, 0x85ebca6b) >>> 20);

/**
 * Sets the bits of the pairs and triples that lie between two places of a folded text.
 * @returns how many of the triples' bits are new
 */
export function mark(signature: Uint8Array, text: string, from: number, to: number): number {
  let added = 0;
  let [a, b] = [-1, -1];
  for (let at = from; at < to; at += 1) {
    const c = text.charCodeAt(at);
    if (b !== -1) set(signature, pairOf(b, c));
    if (a !== -1) added += set(signature, tripleOf(a, b, c));
    [a, b] = [b, c];
  }
  return added;
}

function set(signature: Uint8Array, bit: number): 0 | 1 {
  const [at, one] = [bit >>> 3, 1 << (bit & 7)];
  const byte = signature[at] as number;
  if ((byte & one) !== 0) return 0;
  signature[at] = byte | one;
  return 1;
}

/** Whether a signature has a bit. */
export const has = (signature: Uint8Array, bit: number): boolean =>
  ((signature[bit >>> 3] as number) & (1 << (bit & 7))) !== 0;

/** The bits that a text with a folded term has; none for a term of one unit, which may be anywhere. */
export function bitsOf(term: string): number[] {
  const part = term.slice(0, longestPart);
  const bits = new Set<number>();
  if (part.length === 2) bits.add(pairOf(part.charCodeAt(0), part.charCodeAt(1)));
  for (let at = 2; at < part.length; at += 1) {
    bits.add(tripleOf(part.charCodeAt(at - 2), part.charCodeAt(at - 1), part.charCodeAt(at)));
  }
  return [...bits];
}
