import { lineLimit } from "./queue.ts";
import { isOtherLanguage } from "./script.ts";

const preamble =
  /^(?:sure|certainly|of course|okay|ok|great|absolutely|got it|understood|alright)\b[ ,.!:—-]|^(?:here(?:'s|’s| is| are)|below is|this is)\b[^.:]{0,60}(?:summar|line|index|record)|^(?:the |one-line |a )?(?:summary|line|index entry)(?: of [^:]{0,40})?\s*[:：]|^(?:はい[、。]|承知|了解しました|かしこまりました|以下(?:は|が|に)|要約[:：は])/i;
const refusal =
  /^(?:i['’]?m (?:sorry|unable|not able)|i am (?:sorry|unable|not able)|sorry\b|i apologi[sz]e|i (?:can(?:no|['’])t|won['’]t|will not) (?:help|assist|do|comply|summari|provide|process|fulfil)|as an ai\b|unfortunately,? i\b|申し訳|すみません|恐れ入りますが|お手伝いできません)/i;
const notOneLine = /[\n\r\u2028\u2029\u0085]/;
const controls = /[\u0000-\u001f\u007f-\u009f]/;
const markup = /^(?:[-*#>]\s|\d+[.)]\s|```|["“「].*["”」]$|\{.*\}$|<[^>]+>)/;

/** The fewest characters a line of a turn may have: less is an echo or an order obeyed, not an account of the turn. */
const leastLength = (said: string): number =>
  Math.max(1, said.length <= 2_000 ? Math.min(40, Math.floor(said.length / 5)) : Math.min(200, said.length / 50));

/**
 * What is wrong with a line that a model wrote of a turn, in a few words that the model is told at the next attempt;
 * `undefined` where it is good.
 * @param said the turn's L2
 * @param fence the mark around the turns of the run
 */
export function whatIsWrong(line: unknown, said: string, fence: string): string | undefined {
  if (typeof line !== "string") return "missing";
  const text = line.trim();
  if (text === "") return "empty";
  if (notOneLine.test(text)) return "several lines";
  if (controls.test(text) || !text.isWellFormed()) return "control characters";
  if (text.length > lineLimit(said)) return "too long";
  if (text.includes(fence)) return "marker in it";
  if (markup.test(text)) return "markup";
  const start = text.slice(0, 20).toLowerCase();
  const isOwnStart = said.toLowerCase().includes(start);
  if (refusal.test(text) && !isOwnStart) return "not about the record";
  if (preamble.test(text) && !isOwnStart) return "preamble";
  if (text.length < leastLength(said)) return "too short";
  if (isOneWord(text, said)) return "not about the record";
  if (isOtherLanguage(text, said)) return "wrong language";
  return undefined;
}

// "BANANA BANANA BANANA" tells nothing of a turn that said twenty words.
function isOneWord(text: string, said: string): boolean {
  const distinct = (of: string) => new Set(of.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).size;
  const spaced = /\p{Script=Latin}/u.test(text) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u.test(text);
  return spaced && distinct(text) < 3 && distinct(said.slice(0, 5_000)) > 20;
}
