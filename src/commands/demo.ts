import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCommand } from "citty";
import { estimateTokens } from "../context/tokens.ts";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { conversation, transcriptLines } from "./demo-conversation.ts";

const parts = 8;

/** `throughline demo`: a conversation through the real hook commands in a temporary home, and what Claude is told after /clear. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "demo",
      description:
        "Play a conversation through the real hooks in a temporary home and show what Claude would be told after /clear",
    },
    async run() {
      const folder = mkdtempSync(join(tmpdir(), "throughline-demo-"));
      try {
        await printText(`${await play(env, folder)}\n`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  });

async function play(env: Env, folder: string): Promise<string> {
  const stage = await setStage(env, folder);
  const [first, second] = ["11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"];
  const file = join(folder, `${first}.jsonl`);
  const event = { session_id: first, transcript_path: file, cwd: stage.project };
  await stage.hook(["session-start", "--part", "1"], { ...event, hook_event_name: "SessionStart", source: "startup" });
  let written = "";
  for (const turn of conversation(env.now())) {
    written += transcriptLines(turn, first, stage.project);
    await Bun.write(file, written);
    await stage.hook(["stop"], { ...event, hook_event_name: "Stop" });
  }
  await stage.hook(["session-end"], { ...event, hook_event_name: "SessionEnd", reason: "clear" });
  const start = {
    ...event,
    session_id: second,
    transcript_path: join(folder, `${second}.jsonl`),
    hook_event_name: "SessionStart",
    source: "clear",
  };
  const outputs = await Promise.all(
    Array.from({ length: parts }, (_, n) => stage.hook(["session-start", "--part", `${n + 1}`], start)),
  );
  const told = outputs.flatMap((output) => (output ? [JSON.parse(output)] : []));
  const text = told.flatMap((output) => output.hookSpecificOutput?.additionalContext ?? []).join("\n\n");
  const time = /\[(\d\d:\d\d:\d\d)\] \[user\]: What is slow in the import/.exec(text)?.[1] ?? "";
  const detail = await stage.run(["detail", time], "", { CLAUDE_CODE_SESSION_ID: second });
  return report(told[0]?.systemMessage ?? "", text, written, time, detail);
}

interface Stage {
  project: string;
  run: (args: string[], stdin: string, extra?: Record<string, string>) => Promise<string>;
  hook: (args: string[], event: Record<string, string>) => Promise<string>;
}

async function setStage(env: Env, folder: string): Promise<Stage> {
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const made of [home, project]) mkdirSync(made);
  const self = process.execPath;
  const vars = {
    HOME: home,
    USERPROFILE: home,
    PATH: env.vars.PATH ?? "",
    TZ: env.vars.TZ ?? "",
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: `${env.pid}`,
    CLAUDE_CODE_ENTRYPOINT: "cli",
  };
  const run: Stage["run"] = async (args, stdin, extra = {}) => {
    const child = Bun.spawn([self, ...args], {
      cwd: project,
      env: { ...vars, ...extra },
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code !== 0) throw new Error(`throughline ${args.join(" ")} exited ${code}: ${stderr.trim()}`);
    return stdout;
  };
  return { project, run, hook: (args, event) => run(["hook", ...args], JSON.stringify(event)) };
}

function report(message: string, text: string, transcript: string, time: string, detail: string): string {
  const rule = "═".repeat(78);
  const title = (name: string) => `${rule}\n${name}\n${rule}`;
  const size = (name: string, value: string) =>
    `${name.padEnd(36)}${value.length.toLocaleString("en").padStart(9)} characters  ≈${estimateTokens(value).toLocaleString("en").padStart(7)} tokens`;
  return [
    title("What Claude is told after /clear"),
    text,
    title("What the person sees"),
    message,
    title("Sizes"),
    size("The conversation with its tool traffic", contextOf(transcript)),
    size("What Claude is told instead", text),
    title(`throughline detail ${time}`),
    detail.length > 2_000
      ? `${detail.slice(0, 2_000)}\n… (${(detail.length - 2_000).toLocaleString("en")} more characters)`
      : detail,
  ].join("\n\n");
}

// What the messages of the transcript hold: what the context would have been filled with.
const contextOf = (transcript: string): string =>
  transcript
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.stringify(JSON.parse(line).message?.content ?? ""))
    .join("\n");
