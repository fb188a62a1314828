/** One turn of the demonstration: what is asked, what tools do, what is answered. */
export interface DemoTurn {
  /** UTC milliseconds. */
  at: number;
  n: number;
  prompt: string;
  tools: { name: string; input: Record<string, string>; output: string }[];
  answer: string;
}

const minute = 60_000;

/** A long build log, as tools print it: what fills a context and is needed once. */
const buildLog = (n: number): string =>
  Array.from(
    { length: 400 },
    (_, line) =>
      `\u001b[32m[${String(line).padStart(4)}]\u001b[0m compiling crate_${n}_${line} v0.${line % 10}.${n} … ok`,
  ).join("\n") +
  "\nerror[E0308]: mismatched types\n  --> src/session.rs:142:17\n   expected `Option<Instant>`, found `Instant`\n";

const script: readonly Pick<DemoTurn, "prompt" | "tools" | "answer">[] = [
  {
    prompt: "Why does the build fail since yesterday?",
    tools: [{ name: "Bash", input: { command: "cargo build 2>&1", description: "Build" }, output: buildLog(1) }],
    answer:
      "`last_seen` became an `Option<Instant>` in yesterday's refactoring, but `session.rs:142` still assigns a bare `Instant`. The fix is one line:\n\n```rust\nself.last_seen = Some(Instant::now());\n```\n\nShall I apply it?",
  },
  {
    prompt: "はい、お願いします。ついでにテストも追加してください。",
    tools: [
      {
        name: "Edit",
        input: {
          file_path: "src/session.rs",
          old_string: "self.last_seen = Instant::now();",
          new_string: "self.last_seen = Some(Instant::now());",
        },
        output: "The file src/session.rs has been updated.",
      },
      {
        name: "Bash",
        input: { command: "cargo test session", description: "Run the tests" },
        output: "running 12 tests\n............\ntest result: ok. 12 passed; 0 failed",
      },
    ],
    answer:
      "修正とテストの追加が終わりました。`touch_sets_last_seen` は、`touch()` のあとに `last_seen` が `Some` になることを確かめます。12 件すべて成功しています。",
  },
  {
    prompt: "Which timeout did we decide on for idle sessions, and why?",
    tools: [
      {
        name: "Grep",
        input: { pattern: "IDLE_TIMEOUT", path: "src" },
        output: "src/config.rs:18:pub const IDLE_TIMEOUT: Duration = Duration::from_secs(900);",
      },
    ],
    answer:
      "900 seconds (`IDLE_TIMEOUT` in `src/config.rs:18`). Shorter ones logged people out during long builds; longer ones kept stale locks.",
  },
];

/** Twenty-five turns, three minutes apart, the last one a minute ago. */
export function conversation(now: number): DemoTurn[] {
  return Array.from({ length: 25 }, (_, n) => {
    const scene = script[n % script.length] as (typeof script)[number];
    const again = n < script.length ? "" : ` (module ${Math.floor(n / script.length) + 1})`;
    return { ...scene, n, at: now - minute - (24 - n) * 3 * minute, prompt: scene.prompt + again };
  });
}

/** The turn as the client writes it to its transcript: one JSON object a line. */
export function transcriptLines(turn: DemoTurn, sessionId: string, cwd: string): string {
  const id = (step: number) => `00000000-0000-4000-8000-${String(turn.n * 100 + step).padStart(12, "0")}`;
  let step = 0;
  const line = (type: string, message: unknown): string => {
    const parentUuid =
      turn.n === 0 && step === 0
        ? null
        : step === 0
          ? `${id(0).slice(0, 24)}${String((turn.n - 1) * 100 + 99).padStart(12, "0")}`
          : id(step - 1);
    const uuid = id(step);
    step += 1;
    return `${JSON.stringify({ parentUuid, isSidechain: false, type, message, uuid, timestamp: new Date(turn.at + step * 1_000).toISOString(), sessionId, cwd })}\n`;
  };
  const usage = {
    input_tokens: 12,
    cache_read_input_tokens: 18_000 + turn.n * 4_700,
    cache_creation_input_tokens: 900,
    output_tokens: 300,
  };
  const assistant = (content: unknown) =>
    line("assistant", { id: `msg_${turn.n}`, role: "assistant", model: "claude-opus-5-5", content: [content], usage });
  const calls = turn.tools.map((tool, n) => {
    const toolUseId = `toolu_demo_${turn.n}_${n}`;
    const use = assistant({ type: "tool_use", id: toolUseId, name: tool.name, input: tool.input });
    return (
      use +
      line("user", { role: "user", content: [{ type: "tool_result", tool_use_id: toolUseId, content: tool.output }] })
    );
  });
  const prompt = line("user", { role: "user", content: turn.prompt });
  return [prompt, ...calls, assistant({ type: "text", text: turn.answer })].join("");
}
