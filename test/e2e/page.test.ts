import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { findBarriers, startBrowser, type TestBrowser, takePicture } from "../support/browser.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const session = "11111111-0000-4000-8000-000000000000";
const key =
  "sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-AAAAAAAA";
const hostile = [
  "<script>top.ran = 1</script>",
  "<img src=x onerror='top.ran = 2'>",
  "[a link](javascript:top.ran=3)",
  "![a picture](https://example.com/p.png)",
  "</style><style>*{display:none}</style>",
  "<iframe src='https://example.com'></iframe>",
].join("\n\n");

let browser: TestBrowser;
let home: TempHome;
let file: string;

function run(args: string[], stdin = ""): { code: number; stderr: string } {
  const vars = { ...varsOf(home), CLAUDE_PROJECT_DIR: home.project, CLAUDE_CODE_SESSION_ATTENDED: "1" };
  const ran = Bun.spawnSync([binary, ...args], { cwd: home.project, env: vars, stdin: Buffer.from(stdin) });
  return { code: ran.exitCode, stderr: ran.stderr.toString() };
}

beforeAll(async () => {
  browser = await startBrowser();
  home = tempHome();
  file = join(home.folder, "conversation 記憶.html");
  const builder = new TranscriptBuilder(session);
  builder.prompt("Which timeout do we have, and where?");
  builder.tool("Bash", { command: "grep -rn TIMEOUT src" }, `src/config.ts:18: IDLE_TIMEOUT = 900\nKEY=${key}`);
  builder.say(
    "It is `IDLE_TIMEOUT`:\n\n```ts\nconst IDLE_TIMEOUT = 900;\n```\n\n| where | seconds |\n| --- | ---: |\n| idle | 900 |",
  );
  builder.prompt("認証のタイムアウトも延ばしてください。");
  builder.say("一時間にしました。");
  builder.prompt(hostile);
  builder.tool("Read", { file_path: "x" }, hostile);
  builder.say(hostile);
  const transcript = join(home.folder, `${session}.jsonl`);
  writeFileSync(transcript, builder.text);
  const event = { session_id: session, transcript_path: transcript, cwd: home.project, hook_event_name: "Stop" };
  expect(run(["hook", "stop"], JSON.stringify(event))).toEqual({ code: 0, stderr: "" });
  expect(run(["export", "--html", "--session", session, "--output", file]).code).toBe(0);
});
afterAll(async () => {
  home[Symbol.dispose]();
  await browser[Symbol.asyncDispose]();
});

/** The page from its file, what it asked for, and what it complained of. */
async function look(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; asked: string[]; complaints: string[] }> {
  const page = await browser.open({ viewport: { width: 1280, height: 800 }, ...options });
  const [asked, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(Bun.pathToFileURL(file).href);
  return { page, asked, complaints };
}

test.each(["light", "dark"] as const)(
  "%s: read from its file alone, a barrier to nobody",
  async (colorScheme) => {
    const { page, asked, complaints } = await look({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
    await page.locator("button[name=unfold]").click();
    expect(await findBarriers(page)).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(complaints).toEqual([]);
    await takePicture(page, `page-${colorScheme}`);
    await page.context().close();
  },
  60_000,
);

test("Markdown is shown as what it is, tool traffic is folded under its turn, secrets are masked", async () => {
  const { page } = await look();
  expect(await page.locator("article").count()).toBe(3);
  expect(await page.locator("article pre code").first().textContent()).toContain("const IDLE_TIMEOUT = 900;");
  expect(await page.locator("article table td").last().textContent()).toBe("900");
  const traffic = page.getByText("src/config.ts:18: IDLE_TIMEOUT = 900");
  expect(await traffic.isVisible()).toBe(false);
  await page.locator("button[name=unfold]").click();
  expect(await traffic.isVisible()).toBe(true);
  await page.locator("button[name=fold]").click();
  expect(await traffic.isVisible()).toBe(false);
  expect(await page.content()).toContain("[masked: ");
  expect(await page.content()).not.toContain(key);
  await page.context().close();
}, 60_000);

test("search shows the turns that hold the words, and says how many", async () => {
  const { page } = await look();
  await page.getByRole("searchbox").fill("認証");
  for (let n = 0; n < 80 && (await page.locator("article:visible").count()) !== 1; n += 1) await Bun.sleep(25);
  expect(await page.locator("article:visible").count()).toBe(1);
  expect(await page.locator("article:visible").textContent()).toContain("一時間にしました。");
  await page.getByRole("searchbox").fill("");
  for (let n = 0; n < 80 && (await page.locator("article:visible").count()) !== 3; n += 1) await Bun.sleep(25);
  expect(await page.locator("article:visible").count()).toBe(3);
  await page.context().close();
}, 60_000);

test("whatever is stored is text: nothing of it runs, is fetched, or leads anywhere", async () => {
  const { page, asked } = await look();
  await page.locator("button[name=unfold]").click();
  expect(await page.evaluate("top.ran ?? null")).toBeNull();
  expect(await page.locator("article iframe, article img, article script, article style").count()).toBe(0);
  expect(await page.locator("a[href^='javascript:']").count()).toBe(0);
  expect(await page.locator("article").last().textContent()).toContain("<script>top.ran = 1</script>");
  expect(asked).toHaveLength(1);
  await page.context().close();
}, 60_000);

test("without a script, and on a phone", async () => {
  const { page } = await look({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  expect(await page.locator("article").count()).toBe(3);
  expect(await page.locator("article").first().isVisible()).toBe(true);
  await page.context().close();
  const phone = await look({ viewport: { width: 390, height: 844 } });
  expect(await phone.page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  await phone.page.context().close();
}, 60_000);

test("a file that is there is not replaced without being told to", () => {
  expect(run(["export", "--html", "--session", session, "--output", file])).toMatchObject({ code: expect.any(Number) });
  expect(run(["export", "--html", "--session", session, "--output", file]).stderr).toContain("--force");
  expect(run(["export", "--html", "--session", session, "--output", file, "--force"]).code).toBe(0);
});
