import { asObject, asText, type Line } from "./line.ts";

/** What is kept of an image or document: never the data itself. */
export interface Media {
  type: string;
  bytes: number;
  hash: string;
}

/** The placeholder of an image or document block: media type, byte size and hash, never the data. */
export function mediaOf(block: Line): Media[] {
  if (block.type !== "image" && block.type !== "document") return [];
  const source = asObject(block.source);
  const data = asText(source.data) ?? "";
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  const bytes = source.type === "base64" ? Math.floor((data.length * 3) / 4) - padding : data.length;
  return [
    { type: asText(source.media_type) ?? `${block.type}`, bytes, hash: Bun.hash(data).toString(16).padStart(16, "0") },
  ];
}

/** The placeholder's text, as stored and shown. */
export const mediaText = (media: Media): string => `[${media.type}, ${media.bytes} bytes, ${media.hash}]`;
