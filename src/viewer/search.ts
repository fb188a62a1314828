import { basename } from "node:path";
import { html } from "hono/html";
import { findBest } from "../index/best.ts";
import { searchIndexFile } from "../paths.ts";
import { finderOf, parseQuery, snippetOf } from "../search/query.ts";
import type { Hit, Piece } from "../search/rank.ts";
import { findProjectPath } from "../store/project-list.ts";
import { whereIs, worktreesOf } from "../store/search.ts";
import type { View } from "./context.ts";
import { type Html, page, searchHint } from "./page.ts";
import { count, minuteOf } from "./when.ts";

const mostHits = 40;

/** What is looked for, and where: in a project and its worktrees, or everywhere. */
export interface Search {
  text: string;
  projectId: number | undefined;
}

/** The page that the palette is without a script. */
export function searchPage(view: View, search: Search): Html {
  const path = search.projectId === undefined ? undefined : findProjectPath(view.db, search.projectId);
  return page(
    {
      title: "Search",
      crumbs: [{ label: "Projects", href: "/" }, { label: "Search" }],
      ...(search.projectId === undefined ? {} : { projectId: search.projectId }),
    },
    html`<h1>Search${path === undefined ? "" : ` in ${basename(path)}`}</h1>
<form action="/search" role="search" class="ask"><input type="search" name="q" value="${search.text}" aria-label="Words">
${search.projectId === undefined ? "" : html`<input type="hidden" name="project" value="${search.projectId}">`}<button>Search</button></form>
<div class="found">${hits(view, search)}</div>`,
  );
}

/** The turns that hold what is looked for, the best first. */
export function hits({ db, env }: View, { text, projectId }: Search): Html {
  const query = parseQuery(text);
  if (!query) return searchHint;
  const scope = projectId === undefined ? {} : { projectIds: worktreesOf(db, projectId) };
  const place = { from: 0, count: mostHits };
  const found = findBest(db, searchIndexFile(env), { query, scope }, env.now(), place);
  if (found.turns === 0) return html`<p class="empty">No turn has ${text}.</p>`;
  const finders = query.terms.map(finderOf);
  return html`<p class="facts">${found.isAll ? "" : "more than "}${count(found.turns, "turn")}${found.turns > mostHits ? `, the best ${mostHits}` : ""}</p>
<ol data-list>${found.hits.map((hit) => hitRow({ db, env }, hit, finders))}</ol>`;
}

function hitRow({ db }: View, { turnId, pieces }: Hit, finders: readonly RegExp[]): Html {
  const at = whereIs(db, turnId);
  if (!at) return html``;
  return html`<li><a class="hit" data-item href="/turns/${turnId}"><span class="facts">${minuteOf(at)} · <span dir="auto">${basename(at.project)}</span></span>
${pieces.map((piece) => snippet(piece, finders))}</a></li>`;
}

// Marks that no text holds: private-use characters, taken out of it before.
const [begin, end] = ["\ue000", "\ue001"];

function snippet({ where, text }: Piece, finders: readonly RegExp[]): Html {
  const marked = snippetOf(text.replace(/[\ue000\ue001]/g, ""), finders, (hit) => `${begin}${hit}${end}`);
  return html`<span class="snippet" dir="auto"><b>${where}</b> ${marked
    .split(new RegExp(`(${begin}[^${end}]*${end})`))
    .map((part) => (part.startsWith(begin) ? html`<mark>${part.slice(1, -1)}</mark>` : part))}</span>`;
}
