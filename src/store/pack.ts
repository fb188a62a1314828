/** SQLite's value for a text of L3: zstd from 256 bytes up, where it is smaller; plain text below. */
export function pack(text: string | undefined): string | Uint8Array | null {
  if (text === undefined) return null;
  const size = Buffer.byteLength(text);
  if (size < 256) return text;
  const packed = Bun.zstdCompressSync(text, { level: 1 });
  return packed.length < size ? packed : text;
}

/** The text of a packed value. */
export function unpack(value: string | Uint8Array | null): string | undefined {
  if (value === null || typeof value === "string") return value ?? undefined;
  return Bun.zstdDecompressSync(value).toString();
}
