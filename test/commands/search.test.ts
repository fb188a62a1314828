import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scraps, seeded, seeds } from "../fixtures/random.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { runIn } from "../support/ran.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const session = "11111111-0000-4000-8000-000000000001";

async function keep(home: TempHome, build: (t: TranscriptBuilder) => void): Promise<void> {
  const t = new TranscriptBuilder(session, Date.UTC(2026, 10, 30, 13));
  build(t);
  const folder = join(home.folder, ".claude/projects/p");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${session}.jsonl`), t.text.replaceAll("/home/dev/project", home.project));
  expect((await runIn(home, undefined, "import", "--yes")).code).toBe(0);
}

async function found(
  home: TempHome,
  ...args: string[]
): Promise<{ turns: number; results: { command: string; snippets: { where: string; text: string }[] }[] }> {
  const { stdout, stderr, code } = await runIn(home, undefined, "search", ...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

async function talk(home: TempHome): Promise<void> {
  await keep(home, (t) => {
    t.prompt("認証 が通らない, look at the log");
    t.tool("Bash", { command: "cat app.log" }, "ERROR 4711: token expired at noon");
    t.say("The token had expired; 設定 is fine.");
    t.prompt("then write the fix");
    t.tool("Edit", { file_path: "/srv/src/auth.ts", new_string: "renew()" }, "done");
    t.say("Renewed in src/auth.ts.");
    t.prompt("and the docs about 設定値");
    t.say("Written.");
  });
}

test("words in any layer, phrases, left out words, two kanji; named as detail takes it", async () => {
  using home = tempHome();
  await talk(home);
  const counts = async (...args: string[]) => (await found(home, ...args)).turns;
  expect(await counts("認証")).toBe(1);
  expect(await counts("設定")).toBe(2);
  expect(await counts("token", "EXPIRED")).toBe(1);
  expect(await counts("token expired at noon")).toBe(1);
  expect(await counts("設定", "-値")).toBe(1);
  expect(await counts("-docs", "設定")).toBe(1);
  expect(await counts("nowhere-to-be-found")).toBe(0);
  const { results } = await found(home, "4711");
  expect(results[0]?.snippets).toEqual([{ where: "Bash", text: "ERROR **4711**: token expired at noon" }]);
  const detail = (results[0]?.command ?? "").split(" ").slice(1);
  expect((await runIn(home, undefined, ...detail)).stdout).toContain("ERROR 4711");
});

test("filters", async () => {
  using home = tempHome();
  await talk(home);
  const counts = async (...args: string[]) => (await found(home, ...args)).turns;
  expect(await counts("token", "--kind", "said")).toBe(1);
  expect(await counts("renew", "--kind", "tools")).toBe(1);
  expect(await counts("token", "--role", "user")).toBe(0);
  expect(await counts("auth", "--tool", "Edit")).toBe(1);
  expect(await counts("done", "--tool", "Edit")).toBe(1);
  expect(await counts("done", "--tool", "Bash")).toBe(0);
  expect(await counts("the", "--file", "src/auth.ts")).toBe(1);
  expect(await counts("the", "--since", "2026-12-01")).toBe(0);
  expect(await counts("the", "--since", "2026-11-30", "--until", "2026-11-30")).toBe(3);
  expect(await counts("the", "--session", "1111")).toBe(3);
  for (const [args, why] of [
    [[], "search takes words"],
    [["x", "--kind", "other"], "--kind takes said, lines, tools"],
    [["x", "--since", "tomorrow"], "--since takes a day"],
    [["x", "--page", "0"], "--page takes a number"],
    [["x", "--all", "--session", "1"], "one of"],
  ] as const) {
    expect(await runIn(home, undefined, "search", ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(why),
    });
  }
});

test("every substring of two characters or more is found exactly where grep finds it", async () => {
  using home = tempHome();
  const random = seeded(5);
  const texts = seeds(40).map((n) => `turn ${n} ${random.text(scraps, 12)} end`);
  await keep(home, (t) => {
    for (const text of texts) {
      t.prompt(text);
      t.say("ok");
    }
  });
  for (const seed of seeds(60)) {
    const draw = seeded(seed);
    const from = draw.pick(texts);
    const characters = [...from];
    const at = draw.int(0, characters.length - 3);
    const term = characters
      .slice(at, at + draw.int(2, 6))
      .join("")
      .trim();
    if (term.length < 2 || term.startsWith("-") || /["\s]/.test(term)) continue;
    const holding = texts.filter((text) => text.toLowerCase().includes(term.toLowerCase())).length;
    expect([term, (await found(home, term)).turns]).toEqual([term, holding]);
  }
});

test("pages: ten turns each, under 30,000 characters", async () => {
  using home = tempHome();
  await keep(home, (t) => {
    for (let n = 0; n < 25; n += 1) {
      t.prompt(`needle ${n} ${"long ".repeat(2_000)}`);
      t.say("ok");
    }
  });
  const { stdout } = await runIn(home, undefined, "search", "needle");
  expect(stdout.length).toBeLessThan(30_000);
  expect(stdout).toContain("25 turns; next: --page 2");
  expect(
    (await runIn(home, undefined, "search", "needle", "--page", "3")).stdout.match(/throughline detail/g),
  ).toHaveLength(5);
  expect((await runIn(home, undefined, "search", "needle", "--page", "4")).code).toBe(2);
});
