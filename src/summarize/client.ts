import type { Helpers } from "./account.ts";
import { answerSchema, instructions } from "./prompt.ts";

/** A client that can be started: the program and, where that is an interpreter, the script. */
export type Command = readonly string[];

/** One run of the client. */
export interface ClientRun {
  command: Command;
  model: string;
  /** Options that this client is known not to take. */
  lacking: readonly string[];
  prompt: string;
  vars: Readonly<Record<string, string>>;
  helpers: Helpers;
  /** An empty folder that is nobody's project. */
  folder: string;
  /** Milliseconds after which it is killed. */
  time: number;
  /** Kills it before. */
  signal?: AbortSignal | undefined;
}

/** What it printed; `code` is absent where it was killed. */
export interface ClientOutput {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/**
 * The cheap form, measured with 2.1.332: 2 KB of overhead in place of 88, no tool but the answer's, no hook, no settings,
 * no file left behind. The model's name and the output's form are never left out, the others where the client is older.
 */
const options: readonly (readonly string[])[] = [
  ["--no-session-persistence"],
  ["--setting-sources", ""],
  ["--tools", ""],
  ["--strict-mcp-config"],
  ["--disable-slash-commands"],
  ["--system-prompt", instructions],
  ["--json-schema", answerSchema],
];

/** The client's arguments; never a turn's text, which others could read there. */
export function argumentsFor(model: string, lacking: readonly string[], helpers: Helpers = {}): string[] {
  // Of the person's settings none is read but these: a run would not find its key, or renew what it pays with.
  const own = Object.keys(helpers).length > 0 ? [["--settings", JSON.stringify(helpers)]] : [];
  const taken = [...options, ...own].filter(([name]) => !lacking.includes(name as string)).flat();
  return ["-p", "--model", model, "--output-format", "json", ...taken];
}

/** What is read on stdin: where the client takes no instructions of its own, they come first. */
export const inputFor = (prompt: string, lacking: readonly string[]): string =>
  lacking.includes("--system-prompt") ? `${instructions}\n\n${prompt}` : prompt;

/** The variables that keep a run small, alone and short. The marker makes our own hooks do nothing in it. */
export const runVars: Readonly<Record<string, string>> = {
  THROUGHLINE_CHILD: "1",
  MAX_THINKING_TOKENS: "0",
  CLAUDE_CODE_MAX_RETRIES: "2",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
};

/** What a surrounding session says of itself is not said of a run. */
const foreign =
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_\w+|CLAUDE_CODE_(?:SESSION_\w+|ENTRYPOINT|SSE_PORT|EXECPATH)|THROUGHLINE_\w+)$/;
const mostOutput = 4_000_000;

/**
 * Runs the client once: the text on stdin, its whole answer back. It is killed when time is up or it prints without end.
 * @throws when the program cannot be started
 */
export async function runClient(run: ClientRun): Promise<ClientOutput> {
  const own = Object.entries(run.vars).filter(([name]) => !foreign.test(name));
  const child = Bun.spawn([...run.command, ...argumentsFor(run.model, run.lacking, run.helpers)], {
    cwd: run.folder,
    env: { ...Object.fromEntries(own), ...runVars },
    stdin: new Blob([inputFor(run.prompt, run.lacking)]),
    stdout: "pipe",
    stderr: "pipe",
    windowsHide: true,
  });
  const stop = () => child.kill("SIGKILL");
  const timer = Promise.withResolvers<"late">();
  const late = setTimeout(() => timer.resolve("late"), run.time);
  const abort = () => timer.resolve("late");
  run.signal?.addEventListener("abort", abort);
  try {
    const output = Promise.all([read(child.stdout, stop), read(child.stderr, stop), child.exited]);
    // What a killed client started may hold its pipes open: nobody waits for those.
    const ended = await Promise.race([output, timer.promise]);
    if (ended === "late") return { code: undefined, stdout: "", stderr: "" };
    const [stdout, stderr, code] = ended;
    return { code, stdout, stderr };
  } finally {
    clearTimeout(late);
    run.signal?.removeEventListener("abort", abort);
    stop();
  }
}

async function read(stream: ReadableStream<Uint8Array>, stop: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length <= mostOutput) continue;
    stop();
    break;
  }
  return text;
}
