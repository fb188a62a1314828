import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allDetails } from "../support/details.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, runIn, varsOf } from "../support/ran.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const token = `ghp${"_"}${"aB3".repeat(12)}`;
const password = "hUnter2hUnter2";
const pin = "PIN-9876-of-mine";
const session = "11111111-0000-4000-8000-000000000001";

function stop(home: TempHome, file: string, umask: string, said = ""): void {
  const event = {
    session_id: session,
    transcript_path: file,
    cwd: home.project,
    hook_event_name: "Stop",
    last_assistant_message: said,
  };
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", `umask ${umask}; exec "$0" hook stop`, binary], {
    cwd: home.project,
    env: { ...varsOf(home), CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_PROJECT_DIR: home.project },
    stdin: Buffer.from(JSON.stringify(event)),
  });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
}

/** A conversation with secrets wherever tools carry them, and private words wherever the client repeats them. */
function writeTurn(home: TempHome): TranscriptBuilder {
  const t = new TranscriptBuilder(session);
  t.raw(
    JSON.stringify({
      type: "queue-operation",
      operation: "enqueue",
      content: `later <private>${pin}</private>`,
      timestamp: "2026-11-30T13:00:00.000Z",
    }),
  );
  t.prompt(`deploy it, the door opens with <private>${pin}</private>, please`);
  t.tool(
    "Bash",
    { command: `curl -H "Authorization: token ${token}" https://api.example.com` },
    `PASSWORD=${password}\n${"more output\n".repeat(60)}`,
  );
  t.prompt(`<command-name>/review</command-name><command-args><private>${pin}</private> src</command-args>`);
  t.entry("attachment", {
    attachment: { type: "hook_success", hookEvent: "PostToolUse", command: "env", content: `AUTH_TOKEN=${token}` },
  });
  t.entry("attachment", {
    attachment: { type: "queued_command", prompt: `and <private>${pin}</private> too`, humanTurn: true },
  });
  t.say("deployed");
  writeFileSync(join(home.folder, `${session}.jsonl`), t.text);
  return t;
}

/** Every byte of the home, and every text in it that is packed. */
function everything({ folder }: TempHome): string {
  const data = join(folder, ".throughline");
  const files = readdirSync(data, { recursive: true, encoding: "utf8" }).map((name) => join(data, name));
  const raw = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, "latin1"));
  using db = new Database(join(data, "memory.db"), { readonly: true });
  return [...raw, ...allDetails(db).flatMap(({ input, output }) => [input, output])].join("\n");
}

test("no byte of the home holds a secret of the tools or a private word, at any cut of the reading", () => {
  using whole = tempHome();
  const { text } = writeTurn(whole);
  const file = join(whole.folder, `${session}.jsonl`);
  stop(whole, file, "022");
  expect(everything(whole)).toContain("[masked: GitHub token]");
  expect(everything(whole)).toContain("[masked: password]");
  expect(everything(whole)).toContain("the door opens with [private], please");
  const lines = text.split("\n");
  for (let cut = 1; cut < lines.length; cut += 1) {
    using home = tempHome();
    const growing = join(home.folder, `${session}.jsonl`);
    writeFileSync(growing, `${lines.slice(0, cut).join("\n")}\n`);
    stop(home, growing, "022");
    appendFileSync(growing, lines.slice(cut).join("\n"));
    stop(home, growing, "022");
    for (const secret of [token, password, pin]) expect(everything(home)).not.toContain(secret);
  }
}, 60_000);

test.each(["000", "077", "022"])("umask %s: nobody else can read the folder or a file in it", (umask) => {
  using home = tempHome();
  writeTurn(home);
  stop(home, join(home.folder, `${session}.jsonl`), umask);
  const data = join(home.folder, ".throughline");
  expect(statSync(data).mode & 0o777).toBe(0o700);
  const names = readdirSync(data);
  expect(names).toContain("memory.db-wal");
  for (const name of names) expect([name, statSync(join(data, name)).mode & 0o077]).toEqual([name, 0]);
});

test("mask_conversation: what was said is masked as well, and the answer is waited for as it is stored", async () => {
  using home = tempHome();
  expect((await runIn(home, undefined, "config", "set", "mask_conversation", "on")).code).toBe(0);
  expect((await runIn(home, undefined, "config", "set", "mask_patterns", '["ACME-\\\\d+"]')).stdout).toContain("ACME");
  const t = new TranscriptBuilder(session);
  t.prompt(`is ${token} still valid? And ACME-77?`);
  t.say(`yes, ${token} is`);
  const file = join(home.folder, `${session}.jsonl`);
  writeFileSync(file, t.text);
  const started = performance.now();
  stop(home, file, "022", `yes, ${token} is`);
  expect(performance.now() - started).toBeLessThan(1_500);
  const { stdout } = await runIn(home, undefined, "export", "--all");
  expect(stdout).toContain("is [masked: GitHub token] still valid? And [masked: own pattern]?");
  expect(everything(home)).not.toContain(token);
});

test("an export masks what was stored before", async () => {
  using home = tempHome();
  expect((await runIn(home, undefined, "config", "set", "mask", "off")).code).toBe(0);
  writeTurn(home);
  stop(home, join(home.folder, `${session}.jsonl`), "022");
  expect((await runIn(home, undefined, "export", "--all")).stdout).toContain(token);
  expect((await runIn(home, undefined, "config", "unset", "mask")).code).toBe(0);
  const { stdout } = await runIn(home, undefined, "export", "--all");
  expect(stdout).toContain("[masked: GitHub token]");
  expect(stdout).not.toContain(token);
});
