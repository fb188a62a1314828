import type { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { script } from "../../src/commands/demo-script.ts";
import { databaseFile } from "../../src/paths.ts";
import { tellThread } from "../../src/restore.ts";
import { linkSession } from "../../src/store/lineage.ts";
import { openStore, openStoreReadonly } from "../../src/store/open.ts";
import { claimRestore, finishRestore } from "../../src/store/restores.ts";
import { beginRun, finishRun } from "../../src/store/runs.ts";
import { endSession, getSession, type Session } from "../../src/store/sessions.ts";
import type { LinkReason } from "../../src/types.ts";
import { createAccess } from "../../src/viewer/access.ts";
import { createApp } from "../../src/viewer/app.ts";
import type { TempHome } from "../support/home.ts";
import { ingestText, makeSession } from "../support/store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

/** A prompt, what tools did, and the answer. */
export type Exchange = readonly [
  prompt: string,
  tools: readonly (readonly [string, unknown, string])[],
  answer: string,
];

const minute = 60_000;
/** The morning of the day that a temporary home's clock stands at. */
export const morning = Date.UTC(2026, 10, 30, 8, 0, 0);

const scenes = script.map(
  ([prompt, tool, input, output, answer]): Exchange => [prompt, [[tool, input, output]], answer],
);

const japanese: readonly Exchange[] = [
  [
    "認証のタイムアウトを一時間に延ばしたいです。どこを直せばよいですか。",
    [["Grep", { pattern: "TIMEOUT", path: "src" }, "src/auth.ts:12: export const TIMEOUT = 900;"]],
    "`src/auth.ts` の 12 行目です。\n\n```ts\nexport const TIMEOUT = 3_600; // 秒\n```\n\n| 設定 | 以前 | 以後 |\n| --- | ---: | ---: |\n| 認証 | 900 | 3,600 |\n| ロック | 900 | 900 |",
  ],
  [
    "ロックの方はそのままで。テストも通してください。",
    [["Bash", { command: "bun test" }, "212 pass\n0 fail"]],
    "212 件すべて通りました。ロックは 900 秒のままです。",
  ],
];

/** A session's transcript, a turn every four minutes; what is above 5,000 tokens comes from its tools. */
export function transcriptOf(
  name: string,
  at: number,
  exchanges: readonly Exchange[],
  prefix = name.slice(0, 1),
): string {
  const t = new TranscriptBuilder(name, at, minute, prefix);
  let tokens = 18_000;
  for (const [prompt, tools, answer] of exchanges) {
    t.prompt(prompt);
    for (const [tool, input, output] of tools) {
      t.tool(tool, input, output);
      tokens += Math.ceil(output.length / 3);
    }
    tokens += Math.ceil((prompt.length + answer.length) / 3) + 900;
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: tokens,
      cache_creation_input_tokens: 200,
      output_tokens: 40,
    };
    t.entry("assistant", {
      message: {
        id: `msg_${tokens}`,
        role: "assistant",
        model: "claude-opus-5-5",
        content: [{ type: "text", text: answer }],
        usage,
      },
    });
  }
  return t.text;
}

const idOf = (letter: string): string => `${letter.repeat(8)}-0000-4000-8000-000000000000`;

/** A home with three projects: threads with clears, a fork, a guess, lines, restores and what they cost. */
export function fillHome(home: TempHome): void {
  const env = home.env();
  mkdirSync(join(home.folder, ".throughline"), { recursive: true, mode: 0o700 });
  using db = openStore(databaseFile(env));
  const links = "/home/mina/code/links";
  const talk = (letter: string, hours: number, exchanges: readonly Exchange[], project = links): Session => {
    const at = morning + hours * 60 * minute;
    const session = makeSession(db, idOf(letter), { project, at, entrypoint: "cli" });
    ingestText(db, session, home.folder, transcriptOf(idOf(letter), at, exchanges));
    endSession(db, session.id, "clear", at + exchanges.length * 4 * minute);
    return getSession(db, session.id);
  };
  const first = talk("a", -96, scenes.slice(0, 9));
  const second = follow(db, talk("b", -72, scenes.slice(9, 17)), first, "clear", "exact");
  writeLines(db, first);
  const third = follow(db, talk("c", 0, scenes.slice(17, 22)), second, "clear", "exact");
  follow(db, talk("d", 1, scenes.slice(3, 6)), second, "startup", "heuristic");
  follow(db, talk("e", 4, scenes.slice(22)), third, "clear", "exact");
  talk("f", -30, scenes.slice(11, 13));
  const tokyo = talk("0", -20, japanese, "/home/mina/code/認証サーバー");
  follow(db, talk("1", -2, japanese.slice(1), "/home/mina/code/認証サーバー"), tokyo, "clear", "exact");
  talk("2", -300, scenes.slice(0, 4), "/home/mina/dotfiles");
  for (let day = 0; day < 19; day += 1) spend(db, morning - day * 86_400_000, (day * 7) % 11);
}

/** Links a session to the one before it, and has it told what that one said. */
export function follow(db: Database, session: Session, before: Session, source: string, reason: LinkReason): Session {
  const at = session.startedAt;
  db.query("update sessions set source = ? where id = ?").run(source, session.id);
  linkSession(db, session, { session: getSession(db, before.id), reason }, at);
  const telling = tellThread(db, getSession(db, before.id), reason, { now: at, until: at, parts: 8, language: "auto" });
  claimRestore(db, session.id, 1, at, () => true);
  const sums = {
    sessionId: session.id,
    finishedAt: at,
    outcome: "restored",
    notice: null,
    fullTurns: telling?.fullTurns ?? 0,
    lineTurns: telling?.lineTurns ?? 0,
    characters: telling?.parts.reduce((sum, { text }) => sum + text.length, 0) ?? 0,
    replacedTokens: telling?.replacedTokens ?? null,
  };
  finishRestore(db, sums, telling?.parts ?? []);
  return getSession(db, session.id);
}

function writeLines(db: Database, session: Session): void {
  db.query(
    `insert into summaries (turn_id, text, model, created_at)
     select turn_id, 'Asked: ' || (select substr(text, 1, 160) from messages where turn_id = session_turns.turn_id order by id limit 1)
       || ' Done; the tests pass.', 'claude-haiku-4-5-20251001', 0 from session_turns where session_id = ?`,
  ).run(session.id);
}

function spend(db: Database, at: number, turns: number): void {
  if (turns === 0) return;
  const run = beginRun(db, "claude-haiku-4-5-20251001", turns, at);
  const cost = { inputTokens: turns * 1_100, outputTokens: turns * 140, costUsd: turns * 0.0019, milliseconds: 4_000 };
  finishRun(db, run, { ...cost, outcome: "ok", message: null }, turns, true);
}

/** The viewer over a home, and how to ask it as its own browser would. */
export function openViewer(home: TempHome) {
  const env = home.env();
  const access = createAccess(4_321);
  const open = () => {
    const db = openStoreReadonly(databaseFile(env));
    if (!db) throw new Error("nothing is stored yet");
    return db;
  };
  const app = createApp(env, open, access);
  const ask = (path: string, init: RequestInit = {}) =>
    app.fetch(
      new Request(`http://127.0.0.1:4321${path}`, {
        ...init,
        headers: { host: "127.0.0.1:4321", cookie: `throughline-4321=${access.secret}`, ...init.headers },
      }),
    );
  const read = async (path: string): Promise<string> => (await ask(path)).text();
  return { access, ask, read, open };
}
