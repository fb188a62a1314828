import { type Data, hashOf } from "./media.ts";

/** What is left out of a line: the bytes from `from` to before `to`, for which `by` stands. */
interface Cut {
  from: number;
  to: number;
  by: string;
}

/** An object or a list around the current place. */
interface Container {
  from: number;
  closing: number;
  /** Whether it is the value of a key `source`, which is where images and documents are. */
  isSource: boolean;
  /** The current member's key, if it is one that counts. */
  key: Key | undefined;
}

type Key = "toolUseResult" | "source" | "data";
const quotedKeys: Readonly<Record<string, Key>> = {
  '"toolUseResult"': "toolUseResult",
  '"source"': "source",
  '"data"': "data",
};
const longestKey = '"toolUseResult"'.length;

/** Bytes; a shorter image is no burden. */
const leastData = 1_024;
const scalar = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * A transcript line, as bytes, without what makes it large and is never kept: `toolUseResult` becomes `null`, and an
 * image's or document's data what is kept of it (`Data`). Linear, and nothing large is made a string of. A line that is
 * no JSON comes back as it is.
 */
export function slimLine(line: Buffer): Buffer {
  const cuts = findCuts(line);
  if (!cuts?.length) return line;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { from, to, by } of cuts) {
    pieces.push(line.subarray(at, from), Buffer.from(by));
    at = to;
  }
  return Buffer.concat([...pieces, line.subarray(at)]);
}

/** The cuts in the order of the line; `undefined` where it is no JSON. */
function findCuts(line: Buffer): Cut[] | undefined {
  const cuts: Cut[] = [];
  const around: Container[] = [];
  for (let at = afterBlanks(line, 0); ; ) {
    let from = at;
    const container = containerAt(line, at, around.at(-1));
    if (container) {
      around.push(container);
      at = afterBlanks(line, at + 1);
      if (line[at] !== container.closing) {
        at = beginMember(line, at, container);
        if (at === -1) return undefined;
        continue;
      }
    } else {
      at = afterScalar(line, at);
      if (at === -1) return undefined;
    }
    // A value has ended, and with it perhaps the containers around it.
    if (!container) cutValue(line, from, at, around, cuts);
    for (;;) {
      at = afterBlanks(line, at);
      const inner = around.at(-1);
      if (!inner) return at === line.length ? cuts : undefined;
      if (line[at] === comma) {
        at = beginMember(line, afterBlanks(line, at + 1), inner);
        if (at === -1) return undefined;
        break;
      }
      if (line[at] !== inner.closing) return undefined;
      around.pop();
      from = inner.from;
      at += 1;
      cutValue(line, from, at, around, cuts);
    }
  }
}

function containerAt(line: Buffer, at: number, outer: Container | undefined): Container | undefined {
  const isObject = line[at] === openObject;
  if (!isObject && line[at] !== openList) return undefined;
  const isSource = isObject && outer?.key === "source";
  return { from: at, closing: isObject ? closeObject : closeList, isSource, key: undefined };
}

/** Where the value of an object's or list's next member begins, -1 where there is none. */
function beginMember(line: Buffer, at: number, container: Container): number {
  if (container.closing === closeList) return at;
  const end = line[at] === quote ? afterString(line, at) : -1;
  if (end === -1) return -1;
  container.key = end - at > longestKey ? undefined : quotedKeys[line.toString("latin1", at, end)];
  const separator = afterBlanks(line, end);
  return line[separator] === colon ? afterBlanks(line, separator + 1) : -1;
}

/** Leaves out the value that has just ended, if it is of those. What was left out within it is then as well. */
function cutValue(line: Buffer, from: number, to: number, around: readonly Container[], cuts: Cut[]): void {
  const container = around.at(-1);
  if (container?.key === "toolUseResult" && around.length === 1) {
    while ((cuts.at(-1)?.from ?? -1) > from) cuts.pop();
    cuts.push({ from, to, by: "null" });
  } else if (container?.key === "data" && container.isSource && line[from] === quote && to - from > leastData) {
    const bytes = line.subarray(from + 1, to - 1);
    if (!isAscii(bytes) || bytes.includes(backslash)) return;
    const ending = bytes.toString("latin1", bytes.length - 2);
    const data: Data = { length: bytes.length, ending, hash: hashOf(bytes) };
    cuts.push({ from, to, by: JSON.stringify(data) });
  }
}

// Not node:buffer's: every hook would load that module, which takes it 0.15 ms, and next to none has such a line.
function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > 0x7f) return false;
  return true;
}

/** Where a string, number or word ends, -1 where there is none. */
function afterScalar(line: Buffer, at: number): number {
  if (line[at] === quote) return afterString(line, at);
  let end = at;
  while (end < line.length && isScalar(line[end] as number)) end += 1;
  return scalar.test(line.toString("latin1", at, end)) ? end : -1;
}

const isScalar = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || [0x2b, 0x2d, 0x2e, 0x45].includes(byte);

/** Where the string that begins here ends, -1 where it is none that JSON allows. */
function afterString(line: Buffer, at: number): number {
  for (let n = at + 1; n < line.length; n += 1) {
    const byte = line[n] as number;
    if (byte === quote) return n + 1;
    if (byte < 0x20) return -1;
    if (byte === backslash) {
      n += 1;
      if (line[n] === 0x75 && /^[\da-fA-F]{4}$/.test(line.toString("latin1", n + 1, n + 5))) n += 4;
      else if (!'"\\/bfnrt'.includes(String.fromCharCode(line[n] ?? 0))) return -1;
    }
  }
  return -1;
}

function afterBlanks(line: Buffer, at: number): number {
  let end = at;
  while (line[end] === 0x20 || line[end] === 0x0a || line[end] === 0x0d || line[end] === 0x09) end += 1;
  return end;
}
