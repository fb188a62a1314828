import { basename } from "node:path";
import { html } from "hono/html";
import { spendByDay } from "../store/figures.ts";
import { type ListedProject, listProjects } from "../store/project-list.ts";
import type { View } from "./context.ts";
import { type Html, page } from "./page.ts";
import { spendChart } from "./spend-chart.ts";
import { ago, count } from "./when.ts";

const shownDays = 30;
const day = 86_400_000;

/** Every project that something is stored of, and what lines cost. */
export function projectsPage({ db, env }: View): Html {
  const projects = listProjects(db);
  const turns = projects.reduce((sum, project) => sum + project.turns, 0);
  const since = env.now() - (shownDays - 1) * day;
  return page(
    { title: "Projects", crumbs: [{ label: "Projects" }] },
    html`<h1>Projects</h1>
${
  projects.length === 0
    ? html`<p class="empty">Nothing is stored yet. Talk with Claude in a project, and it is here.</p>`
    : html`<p class="lead">${count(turns, "turn")} of ${count(projects.length, "project")}</p>
<ul class="rows" data-list>${projects.map((project) => row(project, env.now()))}</ul>`
}
<section aria-labelledby="spend"><h2 id="spend">What lines cost</h2>
${spendChart(spendByDay(db, since), since, shownDays)}</section>`,
  );
}

const row = (
  project: ListedProject,
  now: number,
): Html => html`<li><a class="row" data-item href="/projects/${project.id}">
<span class="name" dir="auto">${basename(project.path) || project.path}</span>
<span class="path" dir="auto">${project.path}</span>
<span class="facts">${count(project.turns, "turn")} · ${count(project.sessions, "session")} · ${ago({ startedAt: project.activeAt, zoneOffset: 0 }, now)}</span>
</a></li>`;
