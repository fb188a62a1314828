import type { Random } from "../fixtures/random.ts";
import { hostileJson, hostileText, prototypeNames, texts } from "./values.ts";

type Container = Record<string, unknown> | unknown[];

/** Stands in an object for JSON text that no value writes; `n` counts. */
const mark = (n: number): string => `\u241frawn${n}\u241f`;

/** A JSON object with one to five places changed: another value, one of another type, a key that is gone, twice, or one of the prototype's. */
export function mutate(random: Random, value: Record<string, unknown>): string {
  const copy = structuredClone(value);
  const raws: string[] = [];
  const keys: string[] = [];
  for (let n = random.int(1, 5); n > 0; n -= 1) {
    const at = random.pick(containersOf(copy));
    const key = random.pick([...Object.keys(at), "new"]);
    change(random, at as Record<string, unknown>, key, raws, keys);
  }
  let text = JSON.stringify(copy);
  keys.forEach((key, n) => {
    text = text.replace(`"${mark(n)}k":`, () => `${JSON.stringify(key)}:`);
  });
  raws.forEach((raw, n) => {
    text = text.replace(`"${mark(n)}"`, () => raw);
  });
  return text;
}

function change(random: Random, at: Record<string, unknown>, key: string, raws: string[], keys: string[]): void {
  const list = Array.isArray(at);
  switch (random.int(1, list ? 5 : 8)) {
    case 1:
      if (list) (at as unknown[]).splice(Number(key) || 0, 1);
      else delete at[key];
      return;
    case 2:
      at[key] = [at[key]];
      return;
    case 3:
      if (typeof at[key] === "string") at[key] = insertInto(random, at[key]);
      return;
    case 6: {
      const name = random.pick([...prototypeNames, ...texts]);
      at[`${mark(keys.push(name) - 1)}k`] = at[key];
      return;
    }
    case 7: // the same key twice: the later one counts
      at[`${mark(keys.push(key) - 1)}k`] = at[key];
      at[key] = mark(raws.push(hostileJson(random)) - 1);
      return;
    default:
      at[list && key === "new" ? (at as unknown[]).length : key] = mark(raws.push(hostileJson(random)) - 1);
  }
}

function insertInto(random: Random, text: string): string {
  const at = random.int(0, text.length);
  return text.slice(0, at) + hostileText(random) + text.slice(at);
}

function containersOf(value: Container): Container[] {
  const found: Container[] = [];
  const visit = (item: unknown): void => {
    if (typeof item !== "object" || item === null) return;
    found.push(item as Container);
    Object.values(item).forEach(visit);
  };
  visit(value);
  return found;
}

/** Bytes that are hurt: cut, flipped, doubled, glued, with NULs. Never with a newline in them. */
export function damage(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  const at = random.int(0, bytes.length);
  const garbage = Buffer.from(Uint8Array.from({ length: random.int(1, 30) }, () => random.int(0, 255)));
  const damaged = random.pick([
    () => bytes.subarray(0, at),
    () => bytes.subarray(at),
    () => Buffer.concat([bytes.subarray(0, at), garbage, bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.int(1, 50))]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes, Buffer.alloc(random.int(1, 600)), bytes.subarray(at)]),
    () => garbage,
  ])();
  return Buffer.from(damaged.map((byte) => (byte === 10 ? 32 : byte)));
}
