import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A folder in which a client writes transcripts, a turn at a time. */
export class Folder {
  readonly #path: string;
  readonly #newest = new Map<string, string>();
  #entries = 0;

  constructor(path: string) {
    this.#path = path;
  }

  #file(session: string): string {
    return join(this.#path, `${session}.jsonl`);
  }

  turn(session: string, at: number, prompt: string, answer: string): void {
    this.#entry(session, at, "user", { role: "user", content: prompt });
    const content = [{ type: "text", text: answer }];
    this.#entry(session, at + 1_000, "assistant", {
      id: `m${at}`,
      role: "assistant",
      model: "claude-opus-5-5",
      content,
    });
  }

  #entry(sessionId: string, at: number, type: string, message: object): void {
    const uuid = `e${String(++this.#entries).padStart(6, "0")}`;
    const parentUuid = this.#newest.get(sessionId) ?? "root";
    const timestamp = new Date(at).toISOString();
    const line = { parentUuid, isSidechain: false, type, message, uuid, timestamp, sessionId };
    appendFileSync(this.#file(sessionId), `${JSON.stringify(line)}\n`);
    this.#newest.set(sessionId, uuid);
  }

  /** Begins a session's file with another one's lines, under the same uuids. */
  copy(from: string, to: string): void {
    writeFileSync(
      this.#file(to),
      readFileSync(this.#file(from), "utf8").replaceAll(`"sessionId":"${from}"`, `"sessionId":"${to}"`),
    );
    this.#newest.set(to, this.#newest.get(from) ?? "root");
  }
}
