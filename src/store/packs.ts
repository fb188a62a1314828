import type { Detail, DetailKind } from "../types.ts";
import { pack, unpack } from "./pack.ts";

/** A pack's value in the database. */
export type Packed = string | Uint8Array;

/** What a detail is, and how long its texts are in UTF-16 code units; `null` where it has none. */
type Head = [
  kind: DetailKind,
  tool: string | null,
  at: number,
  input: number | null,
  output: number | null,
  copied: 0 | 1,
];

/**
 * Details as one value: a line of JSON that says what each is and how long its texts are, then all texts. What a turn's tools
 * say repeats itself, so together they take three fifths of what they take one by one. Their ids are not in it.
 */
export function packDetails(details: readonly Detail[]): Packed {
  const heads = details.map(
    ({ kind, tool, at, input, output, copied }): Head => [
      kind,
      tool ?? null,
      at,
      input?.length ?? null,
      output?.length ?? null,
      copied ? 1 : 0,
    ],
  );
  const texts = details.map(({ input = "", output = "" }) => input + output);
  return pack(`${JSON.stringify(heads)}\n${texts.join("")}`) as Packed;
}

/**
 * The details of a pack.
 * @param sourceIds their ids, in the same order
 * @throws where it is damaged
 */
export function unpackDetails(packed: Packed, sourceIds: readonly string[]): Detail[] {
  const text = unpack(packed) as string;
  let at = text.indexOf("\n") + 1;
  const take = (length: number): string => {
    at += length;
    return text.slice(at - length, at);
  };
  const heads = JSON.parse(text.slice(0, at)) as Head[];
  if (heads.length !== sourceIds.length)
    throw new Error(`a pack of ${heads.length} details has ${sourceIds.length} ids`);
  return heads.map(([kind, tool, when, input, output, copied], n) => ({
    sourceId: sourceIds[n] as string,
    kind,
    ...(tool === null ? {} : { tool }),
    at: when,
    ...(input === null ? {} : { input: take(input) }),
    ...(output === null ? {} : { output: take(output) }),
    ...(copied ? { copied: true as const } : {}),
  }));
}
