import { asCount, asObject, asText, type Line } from "./line.ts";

/** What is kept of an image or document: never the data itself. */
export interface Media {
  type: string;
  bytes: number;
  hash: string;
}

/** What an image's or document's data, as it is in the transcript, is known by. */
export interface Data {
  /** Characters. */
  length: number;
  /** The last two characters: where base64 is padded. */
  ending: string;
  hash: string;
}

/** The placeholder of an image or document block: media type, byte size and hash, never the data. */
export function mediaOf(block: Line): Media[] {
  if (block.type !== "image" && block.type !== "document") return [];
  const source = asObject(block.source);
  const { length, ending, hash } = dataOf(source.data);
  const padding = ending.endsWith("==") ? 2 : ending.endsWith("=") ? 1 : 0;
  const bytes = source.type === "base64" ? Math.floor((length * 3) / 4) - padding : length;
  return [{ type: asText(source.media_type) ?? `${block.type}`, bytes, hash }];
}

// In a line that was too large to be read as it is, the data has been replaced by what it is known by.
function dataOf(value: unknown): Data {
  const { length, ending, hash } = asObject(value);
  const data = asText(value) ?? "";
  return asText(hash) === undefined
    ? { length: data.length, ending: data.slice(-2), hash: hashOf(data) }
    : { length: asCount(length), ending: asText(ending) ?? "", hash: asText(hash) as string };
}

/** The hash of data: the same for a text and its bytes. */
export const hashOf = (data: string | Uint8Array): string => Bun.hash(data).toString(16).padStart(16, "0");

/** The placeholder's text, as stored and shown. */
export const mediaText = (media: Media): string => `[${media.type}, ${media.bytes} bytes, ${media.hash}]`;
