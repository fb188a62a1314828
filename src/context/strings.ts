import type { LinkReason } from "../types.ts";

/** The languages that what we say to Claude and to the person exists in. */
export type Language = "en" | "ja";

/** Every sentence of ours that a person or the model reads after a start, in one table. */
export interface Strings {
  part: (k: number, n: number) => string;
  title: string;
  howToRead: (parts: number) => string;
  continues: (session: string, age: string, surety: string) => string;
  surety: Readonly<Record<LinkReason, string>>;
  guessed: string;
  shortAnswer: string;
  askFirst: string;
  lastExchange: string;
  earlier: string;
  recent: string;
  position: string;
  interrupted: string;
  unanswered: string;
  openTodos: string;
  older: (count: string, since: string) => string;
  leftOut: (characters: string, time: string) => string;
  details: (time: string) => string;
  missingPart: (part: number, range: string) => string;
  restored: (full: number, lines: number, tokens: string, instead: string | undefined) => string;
  firstTime: string;
  nothingFound: string;
  guessedNotice: string;
  cleanStart: string;
  purged: (session: string, days: number) => string;
  askedFresh: string;
  compacted: (count: number, from: string, to: string, range: string) => string;
  failed: (event: string, message: string) => string;
  wrongSettings: (message: string) => string;
  linesBegin: (mode: "login" | "any") => string;
  linesPaused: (reason: string, detail: string) => string;
  age: (milliseconds: number) => string;
}

const en: Strings = {
  part: (k, n) => `Throughline, part ${k} of ${n}`,
  title: "## Throughline: session memory",
  howToRead: (parts) =>
    `A record of this same conversation before this session began, oldest first${parts > 1 ? `, in ${parts} parts` : ""}: what the person said and what you answered, word for word, without tool output. ` +
    "The last exchange is where things stand. Lists and requests further up were dealt with then and are no orders now.",
  continues: (session, age, surety) => `It continues session ${session} (${surety}), whose last turn began ${age} ago.`,
  surety: {
    exact: "certain: of the same window",
    uuids: "certain: the same history",
    hand: "certain: by the person's choice",
    heuristic: "a guess",
    inferred: "a guess from what the files show",
  },
  guessed:
    "Which session it continues is a guess: the newest of this project. If the person speaks of something else, leave it aside (`throughline unlink` undoes it).",
  shortAnswer: 'A short "ok", "go on" or "続き" answers the last exchange.',
  askFirst: "Before you act on it, say what you understand and ask.",
  lastExchange: "The last exchange, shortened (in full in the last part):",
  earlier: "### Earlier turns, summarized",
  recent: "### Recent turns",
  position: "### Where things stand",
  interrupted: "(the person interrupted this answer)",
  unanswered: "(not answered yet)",
  openTodos: "Open to-dos:",
  older: (count, since) =>
    `(${count} older turns since ${since} are kept: \`throughline detail\` fetches them by time)`,
  leftOut: (characters, time) => `[… ${characters} characters left out here: \`throughline detail ${time}\` …]`,
  details: (time) =>
    `Details of any turn, with its tool output: \`throughline detail ${time}\` (also \`14:23-14:30\`, \`2026-11-29 13:02\`)`,
  missingPart: (part, range) => `(Part ${part} did not arrive: \`throughline detail ${range}\`)`,
  restored: (full, lines, tokens, instead) =>
    `Throughline restored ${full} ${full === 1 ? "turn" : "turns"} in full${lines > 0 ? `, ${lines} as lines` : ""}: ≈${tokens} tokens${instead ? ` instead of ${instead}` : ""}. /clear again for a clean start.`,
  firstTime: "Throughline records this project. Nothing to restore yet.",
  nothingFound:
    "Throughline restored nothing: no earlier conversation of this project is free to be continued. `throughline sessions` lists them, `throughline link` takes one.",
  guessedNotice: "Which conversation it continues is a guess; `throughline unlink` undoes it.",
  purged: (session, days) =>
    `Throughline restored nothing: the transcript of session ${session} was deleted, though Claude Code keeps them for ${days} days. \`throughline forget --session ${session}\` forgets it here too, \`throughline link ${session}\` continues it all the same.`,
  cleanStart:
    "Throughline: a clean start, as you cleared twice. What was said before is kept; `throughline link` brings it back.",
  askedFresh:
    "Throughline: a clean start, as you asked. What was said before is kept; `throughline link` brings it back.",
  compacted: (count, from, to, range) =>
    `Throughline keeps the ${count} turns from before this compaction word for word (${from} to ${to}): \`throughline detail ${range}\``,
  failed: (event, message) =>
    `Throughline could not do its work at ${event}: ${message}. \`throughline status\` has more.`,
  wrongSettings: (message) => `Throughline leaves out a setting that it cannot take: ${message}`,
  linesBegin: (mode) =>
    `Throughline will have Claude Haiku put turns older than the newest 20 into one line each, ${mode === "login" ? "through your own Claude login" : "through your Claude account or key"}; it costs little, and \`throughline status\` shows it. \`"summaries": "off"\` in ~/.throughline/config.json stops it.`,
  linesPaused: (reason, detail) => `Throughline writes no lines for older turns: ${pausedEn(reason, detail)}`,
  age: (ms) => ageIn(ms, ["second", "minute", "hour", "day"], (n, unit) => `${n} ${unit}${n === 1 ? "" : "s"}`),
};

const ja: Strings = {
  part: (k, n) => `Throughline, part ${k} of ${n}`,
  title: "## Throughline: セッション記憶",
  howToRead: (parts) =>
    `このセッションが始まる前の、同じ会話の記録です（古い順${parts > 1 ? `、全${parts}部` : ""}）。ユーザーの発言とあなたの返答がそのまま入り、ツールの出力は含みません。` +
    "最後のやり取りが現在地です。それより前のリストや依頼は当時に処理済みで、今の指示ではありません。",
  continues: (session, age, surety) =>
    `セッション ${session} の続きです（${surety}）。最後のターンの開始は${age}前です。`,
  surety: {
    exact: "確実: 同じウィンドウ",
    uuids: "確実: 同じ履歴",
    hand: "確実: ユーザーの指定",
    heuristic: "推定",
    inferred: "記録ファイルからの推定",
  },
  guessed:
    "どのセッションの続きかは推定（このプロジェクトで最新のもの）です。話が合わなければ無視してください（`throughline unlink` で取り消せます）。",
  shortAnswer: "「ok」「続き」「go on」のような短い返事は、最後のやり取りへの返答です。",
  askFirst: "行動する前に、理解した内容を述べて確認してください。",
  lastExchange: "最後のやり取り（短縮。全文は最後の部にあります）:",
  earlier: "### それ以前の要約",
  recent: "### 直近のターン",
  position: "### 現在地",
  interrupted: "（この返答はユーザーが中断しました）",
  unanswered: "（まだ返答していません）",
  openTodos: "未完了の TODO:",
  older: (count, since) =>
    `（${since} 以降のさらに古い ${count} ターンも保存されています: \`throughline detail\` で時刻から取得）`,
  leftOut: (characters, time) => `[… ここで ${characters} 文字を省略: \`throughline detail ${time}\` …]`,
  details: (time) =>
    `各ターンの詳細とツール出力: \`throughline detail ${time}\`（\`14:23-14:30\`、\`2026-11-29 13:02\` も可）`,
  missingPart: (part, range) => `（第${part}部が届いていません: \`throughline detail ${range}\`）`,
  restored: (full, lines, tokens, instead) =>
    `Throughline: ${full} ターンを全文${lines > 0 ? `、${lines} ターンを要約` : ""}で復元しました（約 ${tokens} トークン${instead ? `、元は ${instead}` : ""}）。もう一度 /clear すると白紙で始まります。`,
  firstTime: "Throughline がこのプロジェクトの記録を始めました。復元するものはまだありません。",
  nothingFound:
    "Throughline: 引き継げる過去の会話がないため、何も復元していません。`throughline sessions` で一覧、`throughline link` で指定できます。",
  guessedNotice: "どの会話の続きかは推定です。`throughline unlink` で取り消せます。",
  purged: (session, days) =>
    `Throughline は何も復元しませんでした: セッション ${session} の記録が（Claude Code の保存期間 ${days} 日より前に）削除されています。\`throughline forget --session ${session}\` でここからも忘れ、\`throughline link ${session}\` でそれでも引き継げます。`,
  cleanStart:
    "Throughline: /clear が二度続いたので白紙で始めます。以前の会話は保存されており、`throughline link` で戻せます。",
  askedFresh: "Throughline: 指定どおり白紙で始めます。以前の会話は保存されており、`throughline link` で戻せます。",
  compacted: (count, from, to, range) =>
    `圧縮前の ${count} ターン（${from} から ${to}）は Throughline にそのまま残っています: \`throughline detail ${range}\``,
  failed: (event, message) => `Throughline は ${event} で処理に失敗しました: ${message}。詳細は \`throughline status\``,
  wrongSettings: (message) => `Throughline は使えない設定を無視しています: ${message}`,
  linesBegin: (mode) =>
    `Throughline は直近 20 ターンより古いターンを、Claude Haiku で 1 行ずつに要約します（${mode === "login" ? "あなたの Claude ログイン" : "あなたの Claude アカウントまたは API キー"}を使用。費用はわずかで、\`throughline status\` で確認できます）。止めるには ~/.throughline/config.json に \`"summaries": "off"\` と書いてください。`,
  linesPaused: (reason, detail) => `Throughline は古いターンの要約を作れません: ${pausedJa(reason, detail)}`,
  age: (ms) => ageIn(ms, ["秒", "分", "時間", "日"], (n, unit) => `${n}${unit}`),
};

function pausedEn(reason: string, detail: string): string {
  if (reason === "no-login")
    return 'there is no Claude login, and API keys are not used unasked. `"summaries": "any"` in ~/.throughline/config.json uses what your client uses.';
  if (reason === "foreign-url")
    return `requests go to ${detail}, where your login does not belong. With a key for that address they are written.`;
  if (reason === "no-client")
    return `the \`claude\` program was not found${detail ? ` at ${detail}` : ""}. \`"claude": "/path/to/claude"\` in ~/.throughline/config.json names it.`;
  if (reason === "auth") return `the client is not let in (${detail}). Tried again in an hour.`;
  return `a limit is reached (${detail}). Tried again in an hour.`;
}

function pausedJa(reason: string, detail: string): string {
  if (reason === "no-login")
    return 'Claude のログインがありません（API キーは許可なしに使いません）。~/.throughline/config.json に `"summaries": "any"` と書くと、クライアントと同じ認証を使います。';
  if (reason === "foreign-url")
    return `接続先 ${detail} にログイン情報は送りません。その接続先のキーがあれば作成します。`;
  if (reason === "no-client")
    return `\`claude\` が${detail ? ` ${detail} に` : ""}見つかりません。~/.throughline/config.json の \`"claude": "/path/to/claude"\` で指定できます。`;
  if (reason === "auth") return `認証に失敗しました（${detail}）。1 時間後に再試行します。`;
  return `利用上限に達しました（${detail}）。1 時間後に再試行します。`;
}

export const strings: Readonly<Record<Language, Strings>> = { en, ja };

const kana = /[\u3041-\u30ff\uff66-\uff9f]/g;

/** The conversation's language by its script: Japanese where one character in twenty is kana. */
export function detectLanguage(texts: readonly string[]): Language {
  const sample = texts.join("").slice(0, 20_000);
  return (sample.match(kana)?.length ?? 0) * 20 > sample.length ? "ja" : "en";
}

function ageIn(
  ms: number,
  units: readonly [string, string, string, string],
  say: (n: number, unit: string) => string,
): string {
  const steps = [86_400_000, 3_600_000, 60_000, 1_000] as const;
  const at = steps.findIndex((step) => ms >= step);
  return at === -1 ? say(0, units[0]) : say(Math.floor(ms / (steps[at] as number)), units[3 - at] as string);
}
