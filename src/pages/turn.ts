import { dateOf, type Moment, timeOf } from "../context/clock.ts";
import { withCommas } from "../context/numbers.ts";
import type { Detail, Message } from "../types.ts";
import { escapeText } from "./escape.ts";
import { renderMessage } from "./message.ts";
import { renderTools } from "./tools.ts";
import type { Words } from "./words.ts";

/** A turn as a page shows it: masked already, if it is to be. */
export interface PageTurn extends Moment {
  /** `14:23:05`, with `#2` for the second turn of one second: as `detail` takes it. */
  name: string;
  /** `open`, `interrupted`, `answer_only`, or `left` where a rewind went back before it. */
  state: string;
  /** The size the context had at the turn's last answer. */
  contextTokens: number | null;
  messages: readonly Pick<Message, "role" | "at" | "text">[];
  /** The line (L1), where there is one. */
  summary: string | null;
  details: readonly Detail[];
}

/** The `id` of a turn's element: `2026-11-30T14:23:05`, `2026-11-30T14:23:05.2` for the second of one second. */
export const anchorOf = (turn: Pick<PageTurn, "name" | keyof Moment>): string =>
  `${dateOf(turn)}T${turn.name.replace("#", ".")}`;

/**
 * One turn as an `<article>`: its line, the prompt and the answer as Markdown, and its tool traffic folded under it. Whatever
 * is stored comes out as text: nothing of it runs and nothing of it is loaded.
 * @param options.anchor the element's `id`, where it is not the turn's own
 * @param options.tools what stands for the tool traffic, as HTML, where it is not to be in the page
 */
export function renderTurn(turn: PageTurn, words: Words, options: { anchor?: string; tools?: string } = {}): string {
  const anchor = escapeText(options.anchor ?? anchorOf(turn));
  return [
    `<article class="turn" id="${anchor}" data-state="${escapeText(turn.state)}" aria-labelledby="${anchor}-time">`,
    headOf(turn, anchor, words),
    turn.summary === null ? "" : `<p class="line" dir="auto">${escapeText(turn.summary)}</p>`,
    ...turn.messages.map((message) => renderMessage(message, words)),
    options.tools ?? renderTools(turn.details, turn.zoneOffset, words),
    "</article>\n",
  ].join("\n");
}

function headOf(turn: PageTurn, anchor: string, words: Words): string {
  const marks = [
    words.states[turn.state] ?? "",
    turn.contextTokens === null ? "" : words.context(withCommas(turn.contextTokens)),
  ].filter((mark) => mark !== "");
  return `<header><h3 class="time" id="${anchor}-time"><a href="#${anchor}" title="${words.copyLink}"><time datetime="${isoOf(turn)}">${escapeText(turn.name)}</time></a></h3>${marks.map((mark) => `<span class="mark">${mark}</span>`).join("")}</header>`;
}

/** The moment with its zone, as HTML's `datetime` has it. */
export function isoOf(moment: Moment): string {
  const minutes = Math.abs(moment.zoneOffset);
  const two = (n: number): string => `${n}`.padStart(2, "0");
  const zone = `${moment.zoneOffset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${dateOf(moment)}T${timeOf(moment)}${zone}`;
}
