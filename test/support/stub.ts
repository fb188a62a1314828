import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TempHome } from "./home.ts";

/** A program called `claude` in the home that does as told, and what its runs left behind. */
export interface Stub {
  path: string;
  /** The runs so far: what each was given. */
  runs: () => StubRun[];
  /** The most that ran at the same time. */
  mostAtOnce: () => number;
}

export interface StubRun {
  args: string[];
  prompt: string;
  vars: Record<string, string>;
  folder: string;
}

/** What a stub may use: `prompt`, `count` (turns asked for), `run` (from 1), `answer(lines)`, `line(n)`. */
const head = `
const fs = require("node:fs");
const here = __dirname;
const began = Date.now();
fs.writeFileSync(here + "/" + process.pid + ".alive", "");
const alive = fs.readdirSync(here).filter((name) => name.endsWith(".alive")).length;
fs.appendFileSync(here + "/alive.log", alive + "\\n");
const gone = () => { fs.rmSync(here + "/" + process.pid + ".alive", { force: true }); };
process.on("exit", gone);
async function readPrompt() { return await Bun.stdin.text(); }
function note(prompt) {
  fs.appendFileSync(here + "/runs.log", JSON.stringify({ args: process.argv.slice(2), prompt, vars: process.env, folder: process.cwd() }) + "\\n");
  return fs.readFileSync(here + "/runs.log", "utf8").trim().split("\\n").length;
}
const turnsIn = (prompt) => [...prompt.matchAll(/^<([0-9a-f]{8}) (\\d+) max=\\d+[^\\n]*>\\n([\\s\\S]*?)\\n<\\/\\1>$/gm)].map((found) => found[3]);
const line = (text) => "Summary line about " + text.replace(/\\s+/g, " ").slice(0, 120);
const result = (lines) => ({ type: "result", is_error: false, result: "", structured_output: { lines }, total_cost_usd: 0.002, usage: { input_tokens: 900, output_tokens: 100 } });
const answer = (lines) => console.log(JSON.stringify(result(lines.map((text, n) => ({ n: n + 1, line: text })))));
`;

/** A stub that writes a good line for each turn. */
export const goodStub = `const prompt = await readPrompt(); note(prompt); answer(turnsIn(prompt).map(line));`;

/** Puts a stub into the home's `bin`. */
export function writeStub(home: TempHome, body = goodStub): Stub {
  const folder = join(home.folder, "bin");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "claude");
  writeFileSync(path, `#!${process.execPath}\n${head}\n(async () => {\n${body}\n})();\n`);
  chmodSync(path, 0o755);
  const linesOf = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").trim().split("\n") : [];
  return {
    path,
    runs: () => linesOf("runs.log").map((line) => JSON.parse(line) as StubRun),
    mostAtOnce: () => Math.max(0, ...linesOf("alive.log").map(Number)),
  };
}

/** Gives the home a login of the client that is none. */
export function writeLogin(home: TempHome): void {
  mkdirSync(join(home.folder, ".claude"), { recursive: true });
  const login = { claudeAiOauth: { accessToken: "sk-ant-oat01-dummy", refreshToken: "sk-ant-ort01-dummy" } };
  writeFileSync(join(home.folder, ".claude/.credentials.json"), JSON.stringify(login));
}

/** Writes the home's settings. */
export function writeConfig(home: TempHome, config: Record<string, unknown>): void {
  mkdirSync(join(home.folder, ".throughline"), { recursive: true });
  writeFileSync(join(home.folder, ".throughline/config.json"), JSON.stringify(config));
}
