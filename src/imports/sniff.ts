import { closeSync, openSync } from "node:fs";
import { readAt } from "../transcript/read.ts";

/** What a file is, by its first bytes, whatever it is called. */
export type FileKind = "zip" | "tar" | "database" | "export" | "lines";

const glance = 512;

/**
 * Tells what kind of file it is; anything that is not recognized reads as lines.
 * @throws when it cannot be read
 */
export function sniffFile(path: string): FileKind {
  const fd = openSync(path, "r");
  try {
    const bytes = readAt(fd, 0, glance);
    const begins = (...signature: number[]) => signature.every((byte, n) => bytes[n] === byte);
    if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return "zip";
    // gzip, zstd, xz, or tar(5) as it is: tar tells them apart itself.
    if (begins(0x1f, 0x8b) || begins(0x28, 0xb5, 0x2f, 0xfd) || begins(0xfd, 0x37, 0x7a, 0x58, 0x5a)) return "tar";
    if (bytes.subarray(257, 262).toString() === "ustar") return "tar";
    if (bytes.subarray(0, 16).toString() === "SQLite format 3\0") return "database";
    return /^\s*\{\s*"type"\s*:\s*"export"/.test(bytes.toString()) ? "export" : "lines";
  } finally {
    closeSync(fd);
  }
}
