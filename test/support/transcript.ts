/** Writes transcript lines as the client does: a tree of entries in file order, the parent of each the one before it. */
export class TranscriptBuilder {
  readonly lines: string[] = [];
  #n = 0;
  #parent: string | null = null;

  readonly sessionId: string;
  readonly #stepMs: number;
  readonly #prefix: string;
  #at: number;

  /** @param prefix what the uuids begin with: two builders with one prefix copy one history */
  constructor(
    sessionId = "11111111-0000-4000-8000-000000000000",
    at = Date.UTC(2026, 10, 30, 13, 0, 0),
    stepMs = 1_000,
    prefix = "e",
  ) {
    this.sessionId = sessionId;
    this.#at = at;
    this.#stepMs = stepMs;
    this.#prefix = prefix;
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join("");
  }

  get last(): string | null {
    return this.#parent;
  }

  /** Hangs the next entry on an earlier one, as a rewind does. */
  backTo(uuid: string | null): this {
    this.#parent = uuid;
    return this;
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  entry(type: string, fields: Record<string, unknown>): string {
    this.#n += 1;
    this.#at += this.#stepMs;
    const uuid = `${this.#prefix}${String(this.#n).padStart(7, "0")}-0000-4000-8000-000000000000`;
    this.raw(
      JSON.stringify({
        parentUuid: this.#parent,
        isSidechain: false,
        type,
        ...fields,
        uuid,
        timestamp: new Date(this.#at).toISOString(),
        cwd: "/home/dev/project",
        sessionId: this.sessionId,
        version: "2.1.332",
      }),
    );
    this.#parent = uuid;
    return uuid;
  }

  prompt(content: unknown, fields: Record<string, unknown> = {}): string {
    return this.entry("user", { message: { role: "user", content }, ...fields });
  }

  answer(...blocks: Record<string, unknown>[]): string[] {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 1_000,
      cache_creation_input_tokens: 200,
      output_tokens: 40,
    };
    const id = `msg_${this.#n}`;
    return blocks.map((block) =>
      this.entry("assistant", {
        message: { id, role: "assistant", model: "claude-opus-5-5", content: [block], usage },
      }),
    );
  }

  say(text: string): string {
    return this.answer({ type: "text", text })[0] as string;
  }

  tool(name: string, input: unknown, output: unknown): string {
    const id = `toolu_${this.#prefix}${this.#n}`;
    this.answer({ type: "tool_use", id, name, input });
    this.prompt([{ type: "tool_result", tool_use_id: id, content: output }], { toolUseResult: { stdout: output } });
    return id;
  }
}
