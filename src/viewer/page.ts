import { html, raw } from "hono/html";

/** Text that is HTML: what it was made of is escaped. */
export type Html = ReturnType<typeof html>;

/** What stands around a page's content. */
export interface Frame {
  title: string;
  /** The way here, outermost first; the last is the page itself. */
  crumbs?: readonly { label: string; href?: string }[];
  /** The project that a search begins in. */
  projectId?: number;
  /** Beside the content, on wide screens. */
  side?: Html;
}

/** A whole page. */
export const page = ({ title, crumbs = [], projectId, side }: Frame, content: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Throughline</title>
<link rel="stylesheet" href="/turns.css">
<link rel="stylesheet" href="/viewer.css">
<link rel="icon" href="data:,">
<script type="module" src="/main.script.js"></script>
</head>
<body data-project="${projectId ?? ""}">
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
  <a class="brand" href="/" aria-label="Throughline: all projects">${mark}<span>Throughline</span></a>
  <nav class="crumbs" aria-label="Where you are"><ol>${crumbs.map(crumb)}</ol></nav>
  <a class="find" href="/search"><span>Search</span> <kbd>/</kbd></a>
  <button class="keys" type="button" aria-label="Keyboard shortcuts" aria-haspopup="dialog">?</button>
</header>
<div class="${side ? "columns" : "column"}">
${side ? html`<aside class="side" aria-label="Sessions of this project">${side}</aside>` : ""}
<main id="main" tabindex="-1">${content}</main>
</div>
${searchDialog(projectId)}
${helpDialog}
<p class="toast" role="status" hidden></p>
</body>
</html>`;

const crumb = ({ label, href }: { label: string; href?: string }): Html =>
  href === undefined
    ? html`<li aria-current="page"><span dir="auto">${label}</span></li>`
    : html`<li><a href="${href}" dir="auto">${label}</a></li>`;

// A thread through three points.
const mark = raw(
  `<svg class="mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M10 2v16" stroke="currentColor" stroke-width="2" stroke-linecap="round"/><circle cx="10" cy="4" r="2.5" fill="currentColor"/><circle cx="10" cy="16" r="3.5" fill="currentColor"/></svg>`,
);

/** What can be asked for. */
export const searchHint = html`<p class="hint">Words, in any case; “a phrase”; -word for none of it.</p>`;

const searchDialog = (
  projectId: number | undefined,
): Html => html`<dialog class="palette" id="palette" aria-label="Search">
<form action="/search" role="search">
  <input type="search" name="q" placeholder="Search what was said and done" aria-label="Search what was said and done"
    autocomplete="off" autocapitalize="off" spellcheck="false" aria-controls="found">
  ${
    projectId === undefined
      ? ""
      : html`<label class="scope"><input type="checkbox" name="project" value="${projectId}" checked> this project</label>`
  }
</form>
<div class="found" id="found" aria-live="polite">${searchHint}</div>
</dialog>`;

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["j", "k"], "next, previous"],
  [["Enter"], "open"],
  [["e"], "unfold the tool traffic of a turn"],
  [["g g", "G"], "to the first, to the last"],
  [["/"], "search"],
  [["g p"], "projects"],
  [["g t"], "this project's threads"],
  [["g c"], "the conversation"],
  [["g w"], "what Claude is told"],
  [["g f"], "figures"],
  [["Esc"], "close"],
  [["?"], "these keys"],
];

const helpDialog = html`<dialog class="help" id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl>${keys.map(([names, what]) => html`<div><dt>${names.map((name) => html`<kbd>${name}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
<form method="dialog"><button>Close</button></form>
</dialog>`;
