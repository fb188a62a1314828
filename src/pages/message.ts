import type { Message } from "../types.ts";
import { answerHtml, promptHtml } from "./markdown.ts";
import type { Words } from "./words.ts";

/** What one side said. */
export function renderMessage({ role, text }: Pick<Message, "role" | "text">, words: Words): string {
  const html = role === "user" ? promptHtml(text) : answerHtml(text);
  return `<div class="said ${role}"${langOf(text)}><p class="who">${words.who[role]}</p><div class="text" dir="auto">${html}</div></div>`;
}

// The same Chinese character is drawn otherwise in each of these: a font is chosen by it.
function langOf(text: string): string {
  const sample = text.slice(0, 4_000);
  if (/[\u3041-\u30ff]/.test(sample)) return ' lang="ja"';
  if (/[\uac00-\ud7a3]/.test(sample)) return ' lang="ko"';
  return "";
}
