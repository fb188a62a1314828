import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The content hash of every file below a folder, by path; folders count as well. */
export function snapshotOf(folder: string): Record<string, string> {
  const items = readdirSync(folder, { recursive: true, withFileTypes: true });
  const entries = items.map((item) => {
    const path = join(item.parentPath, item.name);
    return [path, item.isFile() ? Bun.SHA256.hash(readFileSync(path), "hex") : "not a file"];
  });
  return Object.fromEntries(entries.toSorted());
}
