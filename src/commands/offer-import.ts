import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../env.ts";
import type { Words } from "../install/words.ts";
import { clientProjects } from "../paths.ts";
import { agrees } from "./ask.ts";
import type { Commands } from "./commands.ts";

/** Bytes a second that are counted on, far below what is measured: disks differ. */
const expectedRate = 100e6;

/** The transcripts that the client keeps. */
export interface Transcripts {
  files: number;
  bytes: number;
}

/** Offers to import the transcripts that are there, and has the installed program do it where the person agrees. */
export async function offerImport(
  env: Env,
  commands: Commands,
  program: string,
  words: Words,
  yes: boolean,
): Promise<void> {
  if (!Object.hasOwn(commands, "import")) return;
  const { files, bytes } = countTranscripts(clientProjects(env));
  if (files === 0) return;
  const question = words.importTranscripts(files.toLocaleString("en"), sizeOf(bytes), timeFor(bytes));
  if (!(await agrees(question, yes))) return;
  const child = Bun.spawn([program, "import"], {
    cwd: env.cwd,
    env: { ...env.vars },
    stdio: ["inherit", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("the import did not end well; `throughline import` goes on with it");
}

/** Counts the transcripts below the client's projects folder. */
export function countTranscripts(projects: string): Transcripts {
  const total = { files: 0, bytes: 0 };
  for (const name of namesIn(projects).filter((path) => path.endsWith(".jsonl"))) {
    total.files += 1;
    total.bytes += statSync(join(projects, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return total;
}

function namesIn(projects: string): string[] {
  try {
    return readdirSync(projects, { recursive: true, encoding: "utf8" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** A size as a person says it. */
export const sizeOf = (bytes: number): string =>
  bytes < 1e6
    ? `${Math.ceil(bytes / 1e3)} KB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(1)} GB`;

const timeFor = (bytes: number): string => {
  const seconds = Math.max(1, Math.ceil(bytes / expectedRate));
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
};
