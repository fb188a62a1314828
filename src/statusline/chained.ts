import { readFileSync } from "node:fs";
import type { Env } from "../env.ts";
import { clientSettings, statusLineFile } from "../paths.ts";

/** What the client's settings files said of a status line before ours: by file. */
export interface Chained {
  /** The setting as it was; `null` where there was none. */
  previous: unknown;
  /** The whole file as it was, `null` where there was none, and as it was left. */
  before: string | null;
  after: string;
}

/** How long a person's own command may take, in milliseconds: the client throws a line away that comes much later. */
const patience = 3_000;

/** What ours took the place of. What cannot be read is not there: a status line has nobody to complain to. */
export function readChained(env: Env): Record<string, Chained> {
  try {
    return JSON.parse(readFileSync(statusLineFile(env), "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) return {};
    throw error;
  }
}

/** The command that stood where ours stands now, of the settings that hold in a folder. */
export function chainedCommand(env: Env, folder: string | undefined): string | undefined {
  const chained = readChained(env);
  for (const file of clientSettings(env, folder)) {
    const one = chained[file];
    if (!one) continue;
    const { command } = (one.previous ?? {}) as { command?: unknown };
    return typeof command === "string" && command !== "" ? command : undefined;
  }
  return undefined;
}

/**
 * Runs the person's own status line as the client would, with the same words on stdin, and returns what it prints. The one
 * place where a shell is started: it is the person's own command line out of the person's own settings, which the client
 * itself gives to a shell.
 */
export async function runChained(command: string, stdin: string): Promise<string> {
  const [shell = "", ...options] = process.platform === "win32" ? ["cmd.exe", "/d", "/s", "/c"] : ["/bin/sh", "-c"];
  const child = Bun.spawn([shell, ...options, command], {
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "ignore",
    timeout: patience,
    windowsHide: true,
  });
  const decoder = new TextDecoder();
  let text = "";
  const read = async () => {
    for await (const chunk of child.stdout) text += decoder.decode(chunk, { stream: true });
  };
  // What it started itself may outlive it and hold its output open.
  await Promise.race([read(), Bun.sleep(patience)]);
  return text.replace(/\s+$/, "");
}
