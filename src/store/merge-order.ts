/**
 * Two orders of overlapping things as one, the same whichever of the two is one's own: the one that has all of the
 * other's; else what both begin with, then the rest by time.
 */
export function mergeOrder<Item>(
  own: readonly Item[],
  other: readonly Item[],
  keyOf: (item: Item) => string,
  timeOf: (item: Item) => number,
): Item[] {
  const [mine, theirs] = [byKey(own, keyOf), byKey(other, keyOf)];
  if ([...theirs.keys()].every((key) => mine.has(key))) return [...own];
  const ofMine = (item: Item): Item => mine.get(keyOf(item)) ?? item;
  if ([...mine.keys()].every((key) => theirs.has(key))) return other.map(ofMine);
  let same = 0;
  const shorter = Math.min(own.length, other.length);
  while (same < shorter && keyOf(own[same] as Item) === keyOf(other[same] as Item)) same += 1;
  const rest = byKey([...other.slice(same), ...own.slice(same)], keyOf);
  const sorted = [...rest.values()].map(ofMine);
  sorted.sort((a, b) => timeOf(a) - timeOf(b) || (keyOf(a) < keyOf(b) ? -1 : 1));
  return [...own.slice(0, same), ...sorted];
}

const byKey = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item> =>
  new Map(items.map((item) => [keyOf(item), item]));

/** Of two texts for one thing the longer; of equally long ones always the same. */
export const fuller = (a: string | null, b: string | null): string | null => {
  if (a === null || b === null) return a ?? b;
  if (a.length !== b.length) return a.length > b.length ? a : b;
  return a > b ? a : b;
};
