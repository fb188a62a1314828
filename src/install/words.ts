import { type Config, readConfig } from "../config.ts";
import type { Env } from "../env.ts";

/** What an installation asks and says at its end, in one table. */
export interface Words {
  proceed: string;
  importTranscripts: (count: string, size: string, time: string) => string;
  purge: string;
  nothingToDo: string;
  restart: string;
  howToSee: string;
  path: (line: string) => string;
}

const en: Words = {
  proceed: "Do this?",
  importTranscripts: (count, size, time) =>
    `${count} transcripts, ${size}, about ${time}; no model calls. Import them, so that Claude knows what was said before?`,
  purge: "Delete all of this for good?",
  nothingToDo: "Everything is in place; nothing to do.",
  restart: "Restart open Claude Code windows.",
  howToSee:
    'How to see that it works: the next session begins with "Throughline records this project"; after some turns and /clear it says what was restored. `throughline doctor` checks everything.',
  path: (line) => `To type \`throughline\` in your own shell, add to its start-up file: ${line}`,
};

const ja: Words = {
  proceed: "実行しますか？",
  importTranscripts: (count, size, time) =>
    `これまでの会話記録 ${count} 件（${size}、約 ${time}、モデルは呼びません）。取り込んで、以前の会話も Claude に引き継ぎますか？`,
  purge: "これらをすべて完全に削除しますか？",
  nothingToDo: "すべて揃っています。することはありません。",
  restart: "開いている Claude Code のウィンドウを再起動してください。",
  howToSee:
    "確認方法: 次のセッションの始めに Throughline の記録開始の一行が出ます。何ターンか話して /clear すると、復元した内容が表示されます。`throughline doctor` がすべてを点検します。",
  path: (line) => `自分のシェルで \`throughline\` と打てるようにするには、起動ファイルに追加: ${line}`,
};

/** The words in the language of the settings; where they leave it open, in that of the person's system. */
export function wordsFor(env: Env): Words {
  const language = languageOf(env);
  if (language !== "auto") return language === "ja" ? ja : en;
  const { LC_ALL, LC_MESSAGES, LANG } = env.vars;
  return /^ja\b|^ja_/.test(LC_ALL || LC_MESSAGES || LANG || "") ? ja : en;
}

// Settings that cannot be read are no reason not to install or remove anything; doctor names them.
function languageOf(env: Env): Config["language"] {
  try {
    return readConfig(env).language;
  } catch (error) {
    if (error instanceof Error) return "auto";
    throw error;
  }
}
