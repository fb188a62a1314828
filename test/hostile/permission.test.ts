import { describe, expect, test } from "bun:test";
import permissionRequest from "../../src/hooks/permission-request.ts";
import { seeded } from "../fixtures/random.ts";
import { tempHome } from "../support/home.ts";
import { evil, makeCommand } from "./commands.ts";
import { type Done, plainWords, type Stage, setStage } from "./shell.ts";

// More of them: HOSTILE_COMMANDS=5000000. One that failed: HOSTILE_COMMANDS=1 HOSTILE_SEED=<its seed>.
const wanted = Number(process.env.HOSTILE_COMMANDS ?? 8_000);
const firstSeed = Number(process.env.HOSTILE_SEED ?? 1);
const each = 1_000;

const readOnly = ["detail", "status", "search", "sessions", "restore"];
const shells = ["bash", "dash", "zsh"].flatMap((name) => Bun.which(name) ?? []);

function isAllowed(command: string): boolean {
  using home = tempHome();
  const event = { session_id: "s1", hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
  const output = permissionRequest(home.env(), JSON.stringify(event), []);
  return typeof output === "string" && JSON.parse(output).hookSpecificOutput.decision.behavior === "allow";
}

/** Whether what a shell did was one read-only call of ours, with the words that stand there, and nothing else. */
function isHarmless({ calls, commands, traces }: Done, command: string): boolean {
  const [call] = calls;
  return (
    calls.length === 1 &&
    call !== undefined &&
    commands === 1 &&
    traces.length === 0 &&
    readOnly.includes(call[0] ?? "") &&
    Bun.deepEquals(["throughline", ...call], plainWords(command))
  );
}

function expectHarmless(stage: Stage, command: string): void {
  for (const shell of shells) {
    const done = stage.run(shell, command);
    if (!isHarmless(done, command))
      throw new Error(`allowed: ${JSON.stringify(command)}; ${shell} did ${JSON.stringify(done)}`);
  }
}

test(`${wanted.toLocaleString("en")} commands: what is allowed is, in ${shells.join(" and ")}, one read-only call of ours and nothing else`, () => {
  using home = tempHome();
  const stage = setStage(home);
  const tried = new Set<string>();
  for (let n = 0, seed = firstSeed; n < wanted; n += each, seed += 1) {
    const random = seeded(seed);
    for (let k = 0; k < each; k += 1) {
      const command = makeCommand(random).replaceAll(evil, stage.evil);
      if (tried.has(command) || !isAllowed(command)) continue;
      tried.add(command);
      expectHarmless(stage, command);
    }
  }
  expect(tried.size).toBeGreaterThan(Math.min(50, wanted / 1_000));
  if (process.env.HOSTILE_COMMANDS) process.stderr.write(`${tried.size} different commands were allowed and run\n`);
}, 86_400_000);

describe("the usual calls are allowed", () => {
  test.each([
    "throughline status",
    "throughline sessions",
    "throughline sessions --limit 200",
    "throughline detail 14:23:05",
    "throughline detail 14:23-14:30 --page 2",
    "throughline detail 2026-11-29 13:02",
    'throughline detail "2026-11-29 13:02:11#2"',
    "throughline detail 14:23 --session 0123abcd-4567-89ab-cdef-0123456789ab",
    "throughline search 'the build fails'",
    "throughline search 認証 設定",
    "throughline restore",
    "throughline restore 3f2a9c1e --block 2",
  ])("%s", (command) => {
    using home = tempHome();
    expect(isAllowed(command)).toBe(true);
    expectHarmless(setStage(home), command);
  });
});

describe("what does more would be seen", () => {
  test.each([
    "throughline status; $EVIL",
    "throughline status & $EVIL",
    "throughline status $($EVIL)",
    "throughline status > made",
    "throughline status 2>&1",
    "throughline status; cd /",
    "throughline status $HOME",
    "throughline status {a,b}",
    "throughline status ~",
    "throughline status\nthroughline status",
    "throughline link s1",
    "A=1 throughline status",
    "throughline status #x",
    "throughline status a\\ b",
    "throughline status $'a'",
    "ls",
  ])("%j", (command) => {
    using home = tempHome();
    const stage = setStage(home);
    const real = command.replaceAll(evil, stage.evil);
    expect(isAllowed(real)).toBe(false);
    expect(isHarmless(stage.run("/bin/bash", real), real)).toBe(false);
  });
});
