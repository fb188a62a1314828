import type { Database } from "bun:sqlite";
import { html, raw } from "hono/html";
import { dateOf } from "../context/clock.ts";
import { withCommas } from "../context/numbers.ts";
import { projectPathOf } from "../store/projects.ts";
import { type Restore, readRestore } from "../store/restores.ts";
import { getSession, type Session } from "../store/sessions.ts";
import { listThread, type ThreadTurn } from "../store/thread.ts";
import type { View } from "./context.ts";
import type { Html } from "./page.ts";
import { sessionPage } from "./session.ts";
import { masksFor, turnArticles } from "./turn.ts";
import { count, minuteOf } from "./when.ts";

/** Turns that are fetched at once: two or three screens. */
const stretch = 16;

/**
 * A session's thread as a row of stretches of which one is there; the others are fetched as they come near.
 * @param turnId the turn to show; absent: the newest
 */
export function conversationPage(view: View, session: Session, turnId: number | undefined): Html {
  const turns = listThread(view.db, session);
  const at = turnId === undefined ? -1 : turns.findIndex(({ id }) => id === turnId);
  const shown = at === -1 ? turns.length - 1 : at;
  const here = Math.floor(shown / stretch) * stretch;
  const starts = Array.from({ length: Math.ceil(turns.length / stretch) }, (_, n) => n * stretch);
  return sessionPage(
    view,
    session,
    "conversation",
    turns.length === 0
      ? html`<p class="empty">No turn is stored of this session.</p>`
      : html`<p class="facts thread-facts">${count(turns.length, "turn")}, ${minuteOf(turns[0] as ThreadTurn)} – ${minuteOf(turns.at(-1) as ThreadTurn)}</p>
<h2 class="unseen">Turns</h2>
<div class="turns" data-show="turn-${turns[shown]?.id}">${starts.map((from) =>
          from === here
            ? html`<div class="stretch" data-from="${from}">${stretchOf(view, session, turns, from)}</div>`
            : html`<div class="stretch waiting" data-from="${from}" data-src="/sessions/${session.id}/turns?from=${from}"><a href="/sessions/${session.id}?turn=${turns[from]?.id}">${minuteOf(turns[from] as ThreadTurn)}</a></div>`,
        )}</div>`,
  );
}

/** One stretch of a session's thread, to be put in its place. */
export function turnsFrom(view: View, session: Session, from: number): Html {
  return stretchOf(view, session, listThread(view.db, session), from);
}

function stretchOf(view: View, session: Session, turns: readonly ThreadTurn[], from: number): Html {
  const masks = masksFor(view, projectPathOf(view.db, session.projectId));
  const articles = turnArticles(view, turns, from, from + stretch, masks);
  return html`${articles.map((article, n) => html`${border(view, turns, from + n)}${raw(article)}`)}`;
}

// Where another session or another day begins.
function border({ db }: View, turns: readonly ThreadTurn[], at: number): Html {
  const turn = turns[at] as ThreadTurn;
  const before = turns[at - 1];
  const isNew = before?.sessionId !== turn.sessionId;
  const date = dateOf(turn);
  if (!isNew && before && dateOf(before) === date) return html``;
  return html`<p class="border"><span>${isNew ? sessionBorder(db, turn.sessionId, before === undefined) : ""}<time datetime="${date}">${date}</time></span></p>`;
}

function sessionBorder(db: Database, sessionId: number, isFirst: boolean): Html {
  const { id, sessionId: name, source } = getSession(db, sessionId);
  const how = isFirst ? "the beginning" : source === "clear" ? "/clear" : "a new session";
  return html`${how} · <a href="/sessions/${id}">${name.slice(0, 8)}</a> · ${toldThen(readRestore(db, id))}`;
}

function toldThen(restore: Restore | undefined): Html {
  if (!restore?.characters) return html``;
  const { sessionId, fullTurns, lineTurns, replacedTokens } = restore;
  return html`<a href="/sessions/${sessionId}/told?at=start">told ${fullTurns} in full${lineTurns ? `, ${lineTurns} as lines` : ""}${
    replacedTokens ? `, instead of ${withCommas(replacedTokens)} tokens` : ""
  }</a> · `;
}
