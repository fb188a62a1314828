import type { Language } from "../context/strings.ts";
import type { Role } from "../types.ts";

/** What a page says itself, around what was said. */
export interface Words {
  language: Language;
  who: Readonly<Record<Role, string>>;
  /** A turn's state where it is worth a word. */
  states: Readonly<Record<string, string>>;
  /** How a session began, by the client's word for it. */
  sources: Readonly<Record<string, string>>;
  context: (tokens: string) => string;
  calls: (n: number) => string;
  notices: (n: number) => string;
  images: (n: number) => string;
  turns: (n: string, one: boolean) => string;
  sessions: (n: number) => string;
  session: string;
  image: string;
  notice: string;
  input: string;
  output: string;
  noOutput: string;
  copyLink: string;
  copied: string;
  skip: string;
  contents: string;
  search: string;
  /** With `{n}` and `{all}` in it. */
  found: string;
  next: string;
  previous: string;
  unfold: string;
  fold: string;
  empty: string;
  madeBy: (program: string, date: string) => string;
}

const some = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const en: Words = {
  language: "en",
  who: { user: "You", assistant: "Claude" },
  states: { interrupted: "interrupted", left: "taken back", answer_only: "answer only" },
  sources: {
    startup: "new session",
    clear: "after /clear",
    resume: "resumed",
    compact: "after compaction",
    fork: "fork",
  },
  context: (tokens) => `context ${tokens} tokens`,
  calls: (n) => some(n, "tool call"),
  notices: (n) => some(n, "notice"),
  images: (n) => some(n, "image"),
  turns: (n, one) => `${n} ${one ? "turn" : "turns"}`,
  sessions: (n) => some(n, "session"),
  session: "Session",
  image: "image",
  notice: "notice",
  input: "input",
  output: "output",
  noOutput: "no output",
  copyLink: "Copy the link to this turn",
  copied: "Link copied",
  skip: "To the conversation",
  contents: "Turns",
  search: "Search",
  found: "{n} of {all} turns",
  next: "Next hit",
  previous: "Previous hit",
  unfold: "Unfold all",
  fold: "Fold all",
  empty: "No turn is stored.",
  madeBy: (program, date) => `Made by ${program} on ${date}. Everything is in this one file; nothing is loaded.`,
};

const ja: Words = {
  language: "ja",
  who: { user: "あなた", assistant: "Claude" },
  states: { interrupted: "中断", left: "取り消し", answer_only: "回答のみ" },
  sources: { startup: "新しいセッション", clear: "/clear の後", resume: "再開", compact: "圧縮の後", fork: "分岐" },
  context: (tokens) => `コンテキスト ${tokens} トークン`,
  calls: (n) => `ツール呼び出し ${n} 件`,
  notices: (n) => `通知 ${n} 件`,
  images: (n) => `画像 ${n} 件`,
  turns: (n) => `${n} ターン`,
  sessions: (n) => `${n} セッション`,
  session: "セッション",
  image: "画像",
  notice: "通知",
  input: "入力",
  output: "出力",
  noOutput: "出力なし",
  copyLink: "このターンへのリンクをコピー",
  copied: "リンクをコピーしました",
  skip: "会話へ移動",
  contents: "ターン",
  search: "検索",
  found: "{all} ターン中 {n} 件",
  next: "次の一致",
  previous: "前の一致",
  unfold: "すべて開く",
  fold: "すべて閉じる",
  empty: "保存されたターンはありません。",
  madeBy: (program, date) =>
    `${program} が ${date} に作成。すべてこの 1 ファイルに入っており、外部からは何も読み込みません。`,
};

/** The page's own words in each language. */
export const words: Readonly<Record<Language, Words>> = { en, ja };
