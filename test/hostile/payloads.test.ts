import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { partLimit } from "../../src/context/parts.ts";
import type { Env } from "../../src/env.ts";
import type { Hook } from "../../src/hooks/hook.ts";
import permissionRequest from "../../src/hooks/permission-request.ts";
import sessionEnd from "../../src/hooks/session-end.ts";
import sessionStart from "../../src/hooks/session-start.ts";
import stop from "../../src/hooks/stop.ts";
import { databaseFile } from "../../src/paths.ts";
import { openStore } from "../../src/store/open.ts";
import { type Random, seeded } from "../fixtures/random.ts";
import { tellTurns } from "../support/dump.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { damage, mutate } from "./mutate.ts";
import { hostileJson, hostileText } from "./values.ts";

// More of them: HOSTILE_PAYLOADS=1000000. One that failed: HOSTILE_PAYLOADS=1 HOSTILE_SEED=<its seed>.
const wanted = Number(process.env.HOSTILE_PAYLOADS ?? 3_000);
const firstSeed = Number(process.env.HOSTILE_SEED ?? 1);
const each = 100;
const patience = 10_000;

const hooks: Readonly<Record<string, Hook>> = {
  SessionStart: sessionStart,
  Stop: stop,
  SubagentStop: stop,
  SessionEnd: sessionEnd,
  PermissionRequest: permissionRequest,
};

/** What a hook may say of input that it cannot take; anything else that is thrown is a defect. */
const refusals =
  /^(the hook's input (is no JSON|has no usable [a-z_]+: )|the transcript is missing: |(EACCES|ENOTDIR): )/;

test(`${wanted.toLocaleString("en")} hostile payloads from seed ${firstSeed} on: each is answered or refused in a sentence`, async () => {
  for (let n = 0, seed = firstSeed; n < wanted; n += each, seed += 1) {
    try {
      await playSeed(seed);
    } catch (error) {
      const why = error instanceof Error ? error.message : error;
      throw new Error(`HOSTILE_PAYLOADS=1 HOSTILE_SEED=${seed}: ${why}`, { cause: error });
    }
  }
}, 86_400_000);

async function playSeed(seed: number): Promise<void> {
  const random = seeded(seed);
  using home = tempHome();
  const file = join(home.folder, "good.jsonl");
  const transcript = new TranscriptBuilder("good");
  transcript.prompt("why?");
  transcript.say("because");
  writeFileSync(file, transcript.text);
  for (let n = 0; n < each; n += 1) await call(home.env(), random, file);
  const event = { session_id: "good", hook_event_name: "Stop", transcript_path: file, cwd: home.project };
  expect(await stop(home.env(), JSON.stringify(event), [])).toBeUndefined();
  expectHealthy(home);
}

async function call(env: Env, random: Random, file: string): Promise<void> {
  const name = random.pick(Object.keys(hooks));
  const input = payload(random, name, file);
  const began = performance.now();
  try {
    const output = await (hooks[name] as Hook)(
      env,
      input,
      random.pick([[], ["--part", "1"], ["--part", "2"], ["--part", "__proto__"]]),
    );
    if (output !== undefined) expectAnswer(name, output);
  } catch (error) {
    if (!(error instanceof Error) || !refusals.test(error.message)) {
      throw new Error(`${name} of ${input.slice(0, 500)}: ${error}`, { cause: error });
    }
  }
  const took = performance.now() - began;
  if (took > patience) throw new Error(`${name} took ${took} ms for ${input.slice(0, 500)}`);
}

function expectAnswer(name: string, output: string): void {
  const { systemMessage = "", hookSpecificOutput = {} } = JSON.parse(output);
  expect(typeof systemMessage).toBe("string");
  if (name === "PermissionRequest") expect(hookSpecificOutput.decision).toEqual({ behavior: "allow" });
  else expect(`${hookSpecificOutput.additionalContext ?? ""}`.length).toBeLessThanOrEqual(partLimit);
}

function payload(random: Random, name: string, file: string): string {
  // An answer that the transcript does not have would be waited for.
  const lost = random.int(1, 2) === 1;
  const good = {
    session_id: lost ? random.pick(["lost", "gone"]) : random.pick(["s1", "s2", "good"]),
    hook_event_name: name,
    transcript_path: lost ? "/nowhere/s1.jsonl" : file,
    cwd: random.pick(["/srv", "/srv/sub"]),
    source: random.pick(["startup", "clear", "resume", "compact", "fork"]),
    reason: "clear",
    tool_name: "Bash",
    tool_input: { command: "throughline detail 14:23:05" },
    ...(lost ? { last_assistant_message: hostileText(random), prompt_id: hostileText(random) } : {}),
  };
  switch (random.int(1, 10)) {
    case 1:
      return damage(random, JSON.stringify(good)).toString();
    case 2:
      return hostileJson(random);
    default:
      return mutate(random, good);
  }
}

function expectHealthy(home: TempHome): void {
  using db = openStore(databaseFile(home.env()));
  expect(db.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(db.query("pragma foreign_key_check").all()).toEqual([]);
  expect(tellTurns(db)).toContain("  assistant: because");
  expect(readdirSync(home.folder).sort()).toEqual([".throughline", "good.jsonl", "project"]);
  expect(readdirSync(home.project)).toEqual([]);
  expect(existsSync("/tmp/owned")).toBe(false);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}
