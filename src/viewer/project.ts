import { basename } from "node:path";
import { html } from "hono/html";
import { estimateTokens } from "../context/tokens.ts";
import { listRestored } from "../store/figures.ts";
import { findProjectPath } from "../store/project-list.ts";
import { Absent, type View } from "./context.ts";
import { type Html, page } from "./page.ts";
import { restoreChart } from "./restore-chart.ts";
import { nodesOf, readThreads, threadTree } from "./tree.ts";

/** So many of the newest sessions at first. */
export const fewSessions = 200;
const shownRestores = 24;

/**
 * A project's threads as trees of sessions, and what restores saved.
 * @throws Absent
 */
export function projectPage(view: View, projectId: number, limit: number): Html {
  const path = findProjectPath(view.db, projectId);
  if (path === undefined) throw new Absent("There is no such project; it may have been forgotten.");
  const threads = readThreads(view, projectId, limit);
  const shown = threads.reduce((sum, thread) => sum + nodesOf(thread).length, 0);
  const restored = listRestored(view.db, projectId, shownRestores).map((one) => ({
    ...one,
    tokens: estimateTokens(one.text),
  }));
  return page(
    { title: basename(path), crumbs: [{ label: "Projects", href: "/" }, { label: basename(path) || path }], projectId },
    html`<h1 dir="auto">${basename(path) || path}</h1><p class="lead path" dir="auto">${path}</p>
${threads.length === 0 ? html`<p class="empty">No turn is stored of this project.</p>` : ""}
<div class="threads" data-list>${threads.map((thread) => threadTree(thread, undefined))}</div>
${shown >= limit ? html`<p><a class="more" href="/projects/${projectId}?limit=${limit * 4}">Older sessions</a></p>` : ""}
${restored.length === 0 ? "" : html`<section aria-labelledby="restores"><h2 id="restores">Restored, instead of what was there</h2>${restoreChart(restored)}</section>`}`,
  );
}
