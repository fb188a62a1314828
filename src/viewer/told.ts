import { html } from "hono/html";
import { withCommas } from "../context/numbers.ts";
import { partLimit } from "../context/parts.ts";
import { estimateTokens } from "../context/tokens.ts";
import { tellSuccessor } from "../restore.ts";
import { measureThread } from "../store/lineage.ts";
import { readRestore, readSlicesBefore } from "../store/restores.ts";
import type { Session } from "../store/sessions.ts";
import { bar, drawing } from "./chart.ts";
import type { View } from "./context.ts";
import type { Html } from "./page.ts";
import { sessionPage } from "./session.ts";
import { count } from "./when.ts";

/** A text in parts, and what is in it. */
interface Text {
  parts: readonly string[];
  fullTurns: number;
  lineTurns: number;
  replacedTokens: number | null;
}

/** What the session after this one would be told, or what this one was told when it began. */
export function toldPage(view: View, session: Session, atStart: boolean): Html {
  const switcher = html`<nav class="switch" aria-label="Which">
<a href="/sessions/${session.id}/told" ${atStart ? "" : html`aria-current="page"`}>The next session, after this one</a>
<a href="/sessions/${session.id}/told?at=start" ${atStart ? html`aria-current="page"` : ""}>This session, when it began</a></nav>`;
  const content = atStart ? toldAtStart(view, session) : toldNext(view, session);
  return sessionPage(view, session, "told", html`${switcher}${content}`);
}

function toldNext(view: View, session: Session): Html {
  const telling = tellSuccessor(view.db, view.env, { session, reason: "exact" });
  if (!telling)
    return html`<p class="empty">It would be told nothing: this session and those before it have no turn.</p>`;
  const total = measureThread(view.db, session, Number.MAX_SAFE_INTEGER).turns;
  return partsOf({ ...telling, parts: telling.parts.map(({ text }) => text) }, total);
}

function toldAtStart({ db }: View, session: Session): Html {
  const restore = readRestore(db, session.id);
  const slices = readSlicesBefore(db, session.id, Number.MAX_SAFE_INTEGER);
  if (!restore || slices.length === 0)
    return html`<p class="empty">It was told nothing${restore?.outcome ? `: ${restore.outcome}` : ""}.</p>`;
  return partsOf({ ...restore, parts: slices.map(({ text }) => text) }, undefined);
}

function partsOf({ parts, fullTurns, lineTurns, replacedTokens }: Text, total: number | undefined): Html {
  const tokens = parts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const untold = total === undefined ? 0 : total - fullTurns - lineTurns;
  return html`<dl class="sums">
<div><dt>in full</dt><dd>${count(fullTurns, "turn")}</dd></div>
<div><dt>as lines</dt><dd>${count(lineTurns, "turn")}</dd></div>
${untold > 0 ? html`<div><dt>not told, kept</dt><dd>${count(untold, "turn")}</dd></div>` : ""}
<div><dt>tokens, about</dt><dd>${withCommas(tokens)}</dd></div>
${replacedTokens === null ? "" : html`<div><dt>instead of</dt><dd>${withCommas(replacedTokens)}</dd></div>`}
</dl>
${parts.map((text, n) => partCard(text, n + 1, parts.length))}`;
}

const partCard = (text: string, k: number, n: number): Html => html`${
  k === 1 ? "" : html`<p class="cut"><span>cut here: the client takes 10,000 characters from one hook</span></p>`
}<section class="part" data-item tabindex="-1" aria-labelledby="part-${k}">
<header><h2 id="part-${k}">Part ${k} of ${n}</h2><span class="facts">${withCommas(text.length)} of ${withCommas(partLimit)} characters</span>
${meter(text.length)}</header>
<div class="slice" lang="${/[\u3041-\u30ff]/.test(text) ? "ja" : "en"}">${text.split("\n").slice(1).map(line)}</div>
</section>`;

const meter = (length: number): Html =>
  drawing(partLimit, 1, [
    bar({ x: 0, y: 0, width: partLimit, height: 1, of: "rest" }),
    bar({ x: 0, y: 0, width: length, height: 1, of: "said" }),
  ]);

const speech = /^(\[[\d:#]+\]) (?:\[(user|assistant)\]: )?/;
/** Where render.ts left something out of a message, or older turns. */
const leftOut = /^\[… .* …\]$|^[(（].*`throughline detail`.*[)）]$/;

// Marked by what render.ts writes: headings, dates, times, speakers, and where something was left out.
function line(text: string): Html {
  if (/^#{2,3} /.test(text)) return html`<p class="heading">${text.replace(/^#+ /, "")}</p>`;
  if (/^— .* —$/.test(text)) return html`<p class="date">${text}</p>`;
  if (text === "") return html`<p class="gap"></p>`;
  if (leftOut.test(text)) return html`<p><mark class="left-out">${text}</mark></p>`;
  const [head = "", time, role] = speech.exec(text) ?? [];
  return html`<p dir="auto">${time ? html`<time>${time.slice(1, -1)}</time> ` : ""}${role ? html`<b class="${role}">${role}</b> ` : ""}${text.slice(head.length)}</p>`;
}
