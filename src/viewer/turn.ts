import { raw } from "hono/html";
import { readSettings } from "../config.ts";
import { labelTurns } from "../context/clock.ts";
import { type Masks, masksOf } from "../mask/masks.ts";
import { maskTurn } from "../mask/turns.ts";
import { foldTools, renderTraffic } from "../pages/tools.ts";
import { renderTurn } from "../pages/turn.ts";
import { words } from "../pages/words.ts";
import { readDetails, readMessages, readSummary } from "../store/messages.ts";
import { placeOf, type ThreadTurn } from "../store/thread.ts";
import { Absent, type View } from "./context.ts";
import type { Html } from "./page.ts";

/** The masks of a project: what was stored before they were there does not come out either. */
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
  return thread.slice(from, to).map((turn, n) => {
    const texts = {
      messages: readMessages(db, turn.id),
      summary: readSummary(db, turn.id) ?? null,
      details: readDetails(db, turn.id),
    };
    const { startedAt, zoneOffset, contextTokens } = turn;
    const facts = { startedAt, zoneOffset, contextTokens, name: names[from - labelFrom + n] as string };
    const state = turn.left ? "left" : turn.state;
    return renderTurn({ ...maskTurn(texts, masks), ...facts, state }, words.en, {
      anchor: `turn-${turn.id}`,
      tools: foldTools(texts.details, words.en, "", ` data-src="/turns/${turn.id}/tools"`),
    });
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
  const texts = { messages: [], summary: null, details: readDetails(view.db, turnId) };
  const { details } = maskTurn(texts, masksFor(view, place.project));
  return raw(renderTraffic(details, place.zoneOffset, words.en));
}
