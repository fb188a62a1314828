/** SQLite's value for a text of L3: zstd from 256 bytes up, where it is smaller; plain text below. */
export function pack(text: string | undefined): string | Uint8Array | null {
  if (text === undefined) return null;
  if (text.length < 256) return text;
  const packed = Bun.zstdCompressSync(text);
  return packed.length < Buffer.byteLength(text) ? packed : text;
}

/** The text of a packed value. */
export function unpack(value: string | Uint8Array | null): string | undefined {
  if (value === null || typeof value === "string") return value ?? undefined;
  return Bun.zstdDecompressSync(value).toString();
}
