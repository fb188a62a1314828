// Measures the lines that the person's own client writes: `bun run bench:summaries [--any] [--runs N]`. It needs a login
// (or with --any a key), asks the model once a run, and stores nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { processEnv } from "../src/env.ts";
import { defaults } from "../src/settings.ts";
import { permit } from "../src/summarize/account.ts";
import { readAnswer } from "../src/summarize/answer.ts";
import { whatIsWrong } from "../src/summarize/check.ts";
import { runClient } from "../src/summarize/client.ts";
import { renderPrompt } from "../src/summarize/prompt.ts";
import type { Wanted } from "../src/summarize/queue.ts";
import { readAccount } from "../src/worker/account.ts";
import { findClient } from "../src/worker/locate.ts";
import { type Sample, samples } from "./samples.ts";

const { values } = parseArgs({
  options: { any: { type: "boolean", default: false }, runs: { type: "string", default: "3" } },
});

const wantedOf = ({ prompt, answer }: Sample, id: number): Wanted => {
  const said = `${prompt}\n\n${answer}`;
  return { id, text: `U: ${prompt}\nA: ${answer}`, said, stored: said, tries: 0, reason: "" };
};

const share = (line: string, wanted: readonly (string | RegExp)[]): number =>
  wanted.filter((one) => (typeof one === "string" ? line.includes(one) : one.test(line))).length / wanted.length;

const percent = (part: number): string => `${Math.round(part * 100)} %`.padStart(7);

const env = processEnv();
const permission = permit(values.any ? "any" : "login", readAccount(env));
if ("refused" in permission) throw new Error(`nobody's account may be used: ${permission.refused}`);
const client = findClient(env, defaults);
if (!client) throw new Error("claude was not found");
const folder = mkdtempSync(join(tmpdir(), "throughline-lines-"));
const apart = permission.withoutLogin ? { CLAUDE_CONFIG_DIR: join(folder, "no-login") } : {};
try {
  for (let run = 1; run <= Number(values.runs); run++) {
    const turns = samples.map(wantedOf);
    const fence = crypto.randomUUID().slice(0, 8);
    const started = performance.now();
    const output = await runClient({
      command: client.command,
      model: defaults.summary_model,
      lacking: [],
      prompt: renderPrompt(turns, fence),
      vars: { ...permission.vars, ...apart },
      helpers: permission.helpers,
      folder,
      time: 300_000,
    });
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const answer = readAnswer(output.code, output.stdout, output.stderr);
    if (answer.kind !== "lines") throw new Error(JSON.stringify(answer));
    const { inputTokens, outputTokens, costUsd } = answer;
    const spent = `${inputTokens} + ${outputTokens} tokens, $${costUsd.toFixed(4)}`;
    const rows = samples.map(({ name, facts, topics }, n) => {
      const line = String(answer.lines.get(n + 1) ?? "");
      const said = (turns[n] as Wanted).said;
      const wrong = whatIsWrong(line, said, fence) ?? "good";
      const cells = [share(line, facts), share(line, topics), line.length / said.length].map(percent);
      return `  ${name.padEnd(24)}${cells.join("  ")}   ${wrong}`;
    });
    const head = `run ${run}: ${seconds} s, ${spent}\n  ${"turn".padEnd(24)}  facts   topics   length`;
    await Bun.write(Bun.stdout, `${[head, ...rows].join("\n")}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
