import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Home } from "./home.ts";

const entry = z.object({ sessionId: z.string(), status: z.optional(z.string()) });

/** What a running client says of itself: the session it serves, and whether it is idle. */
export type Session = z.infer<typeof entry>;

/** Reads that note of the client with process id `pid`; undefined where it is absent or just being written. */
export function sessionOf(home: Home, pid: number): Session | undefined {
  const text = readIfThere(join(home.folder, ".claude/sessions", `${pid}.json`));
  if (text === undefined || !text.trimEnd().endsWith("}")) return undefined;
  return entry.parse(JSON.parse(text));
}

/** The transcript of a session so far, empty before the client has begun it. */
export function transcriptOf(home: Home, sessionId: string): string {
  const projects = join(home.folder, ".claude/projects");
  const folders = readdirSync(projects, { withFileTypes: true }).filter((item) => item.isDirectory());
  const texts = folders.map((folder) => readIfThere(join(projects, folder.name, `${sessionId}.jsonl`)));
  return texts.find((text) => text !== undefined) ?? "";
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
