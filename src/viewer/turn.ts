import { raw } from "hono/html";
import { readSettings } from "../config.ts";
import { labelTurns } from "../context/clock.ts";
import { type Masks, masksOf } from "../mask/masks.ts";
import { maskTurn } from "../mask/turns.ts";
import { readPageTurn, readTraffic } from "../page-turn.ts";
import { foldTools, renderTraffic } from "../pages/tools.ts";
import { renderTurn } from "../pages/turn.ts";
import { words } from "../pages/words.ts";
import { placeOf, type ThreadTurn } from "../store/thread.ts";
import { Absent, type View } from "./context.ts";
import type { Html } from "./page.ts";

/** The masks of a project. */
export const masksFor = ({ env }: View, project: string): Masks => masksOf(readSettings(env, () => project).config);

/** Turns as HTML, by their place in the thread; tool traffic is told in a line and fetched when it is unfolded. */
export function turnArticles(
  { db }: View,
  thread: readonly ThreadTurn[],
  from: number,
  to: number,
  masks: Masks,
): string[] {
  const labelFrom = Math.max(0, from - mostOfOneSecond);
  const names = labelTurns(thread.slice(labelFrom, to));
  return thread.slice(from, to).map(({ left, state, ...head }, n) => {
    const name = names[from - labelFrom + n] as string;
    const turn = readPageTurn(db, { ...head, state: left ? "left" : state }, name, masks);
    const tools = foldTools(turn.details, words.en, "", ` data-src="/turns/${head.id}/tools"`);
    return renderTurn(turn, words.en, { anchor: `turn-${head.id}`, tools });
  });
}

/** Turns that begin in one second are next to each other, and few. */
const mostOfOneSecond = 8;

/**
 * A turn's tool traffic, to be put under the line that tells of it.
 * @throws Absent
 */
export function turnTools(view: View, turnId: number): Html {
  const place = placeOf(view.db, turnId);
  if (!place) throw new Absent("There is no such turn; it may have been forgotten.");
  const texts = { messages: [], summary: null, details: readTraffic(view.db, turnId) };
  const { details } = maskTurn(texts, masksFor(view, place.project));
  return raw(renderTraffic(details, place.zoneOffset, words.en));
}
