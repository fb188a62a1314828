import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../src/env.ts";
import sessionEnd from "../../src/hooks/session-end.ts";
import sessionStart from "../../src/hooks/session-start.ts";
import stop from "../../src/hooks/stop.ts";
import type { TempHome } from "./home.ts";
import { TranscriptBuilder } from "./transcript.ts";

/** What one start told: the person's line and the model's parts. */
export interface Started {
  message: string | undefined;
  parts: string[];
}

/** One client window that calls the hooks in this process, with a clock that moves a second at each event. */
export class Window {
  readonly #home: TempHome;
  readonly #pid: number;
  readonly #folder: string;
  readonly #change: Partial<Env>;
  static clock = Date.UTC(2026, 10, 30, 14, 0, 0);
  static nextPid = 10_000;
  static readonly living = new Set<number>();
  session = "";
  transcript = new TranscriptBuilder();

  /** @param folder where its transcripts lie */
  constructor(home: TempHome, pid: number, change: Partial<Env> = {}, folder = home.folder) {
    this.#home = home;
    this.#folder = folder;
    this.#pid = pid;
    this.#change = change;
  }

  get file(): string {
    return join(this.#folder, `${this.session}.jsonl`);
  }

  env(change: Partial<Env> = {}): Env {
    Window.clock += 1_000;
    const env = this.#home.env();
    const [at, began] = [Window.clock, performance.now()];
    const world = {
      now: () => at + Math.round(performance.now() - began),
      exists: (pid: number) => Window.living.has(pid),
    };
    return { ...env, vars: { ...env.vars, CLAUDE_PID: `${this.#pid}` }, ...world, ...this.#change, ...change };
  }

  event(name: string, fields: Record<string, unknown> = {}): string {
    return JSON.stringify({
      session_id: this.session,
      transcript_path: this.file,
      cwd: this.#home.project,
      hook_event_name: name,
      ...fields,
    });
  }

  /** Starts a session: all eight parts at once, begun in an order of the caller's choice. */
  async start(session: string, source: string, order: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8]): Promise<Started> {
    this.session = session;
    Window.clock += 1_000;
    this.transcript = new TranscriptBuilder(session, Window.clock, 1_000, `${session}-`);
    const told: Started = { message: undefined, parts: [] };
    await Promise.all(order.map((part) => this.#startPart(part, source, told)));
    return told;
  }

  // The parts are processes that live until the client has taken what they said.
  async #startPart(part: number, source: string, told: Started): Promise<void> {
    const pid = Window.nextPid++;
    Window.living.add(pid);
    const env = this.env({ pid });
    const output = await sessionStart(env, this.event("SessionStart", { source }), ["--part", `${part}`]);
    Window.living.delete(pid);
    const { systemMessage, hookSpecificOutput } = output ? JSON.parse(output) : {};
    told.message = systemMessage ?? told.message;
    if (hookSpecificOutput) told.parts.push(hookSpecificOutput.additionalContext);
  }

  /** One turn, written by the client and then reported by Stop. */
  async turn(prompt: string, answer: string | undefined = `answer to ${prompt}`): Promise<void> {
    const before = this.transcript.lines.length;
    Window.clock += 2_000;
    this.transcript.prompt(prompt);
    if (answer !== undefined) this.transcript.say(answer);
    const added = this.transcript.lines
      .slice(before)
      .map((line) => `${line}\n`)
      .join("");
    if (before === 0) writeFileSync(this.file, added);
    else appendFileSync(this.file, added);
    if (answer !== undefined) await stop(this.env(), this.event("Stop"), []);
  }

  async end(reason: string): Promise<void> {
    await sessionEnd(this.env(), this.event("SessionEnd", { reason }), []);
  }

  /** `/clear` as the terminal client does it. */
  async clear(session: string): Promise<Started> {
    await this.end("clear");
    return this.start(session, "clear");
  }
}

/** The prompts that a start told in full, in order. */
export const promptsTold = ({ parts }: Started): string[] =>
  [...parts.join("\n").matchAll(/^\[\d\d:\d\d:\d\d(?:#\d+)?\] \[user\]: (.*)$/gm)]
    .map((match) => match[1] as string)
    .slice(0, -1);
