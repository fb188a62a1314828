import { head } from "../context/clip.ts";
import { dateOf, type Moment, timeOf } from "../context/clock.ts";
import { withCommas } from "../context/numbers.ts";
import script from "./browser/page.script.js" with { type: "text" };
import { type Entry, renderContents } from "./contents.ts";
import { escapeText } from "./escape.ts";
import pageStyles from "./page.css" with { type: "text" };
import { styles } from "./styles.ts";
import { anchorOf, isoOf, type PageTurn, renderTurn } from "./turn.ts";
import type { Words } from "./words.ts";

/** A session's stretch of a page, its turns oldest first. */
export interface PageSection extends Moment {
  /** Claude Code's session id. */
  session: string;
  /** How it began: `startup`, `clear`, `resume` … */
  source: string | null;
  turns: Iterable<PageTurn>;
}

/** A page and what it says of itself. */
export interface Page {
  title: string;
  /** The project's folder, or the folders of several. */
  place: string;
  /** How many turns and sessions the sections have, and the first and last moment; none where there is no turn. */
  turns: number;
  sessions: number;
  span: readonly [from: Moment, to: Moment] | undefined;
  sections: Iterable<PageSection>;
  /** What made it: `Throughline 0.1.0`. */
  program: string;
  madeAt: Moment;
  words: Words;
}

const contentsLength = 90;

/** One self-contained page, piece by piece, a turn at a time. Its policy lets it load nothing and run nothing but its own script. */
export function* renderPage(page: Page): Generator<string> {
  const { words } = page;
  const contents: Entry[] = [];
  const nameUniquely = uniqueNames();
  yield headOf(page);
  for (const section of page.sections) {
    yield sectionHead(section, words);
    let day: string | undefined;
    for (const turn of section.turns) {
      const date = dateOf(turn);
      if (date !== day) yield `${day === undefined ? "" : "</section>\n"}${dayHead(date)}`;
      day = date;
      const anchor = nameUniquely(anchorOf(turn));
      contents.push({ anchor, date, time: timeOf(turn).slice(0, 5), text: gistOf(turn) });
      yield renderTurn(turn, words, { anchor });
    }
    yield `${day === undefined ? "" : "</section>\n"}</section>\n`;
  }
  if (contents.length === 0) yield `<p class="empty">${words.empty}</p>\n`;
  yield "</main>\n";
  yield renderContents(contents, words);
  yield `<footer>${escapeText(words.madeBy(page.program, dateOf(page.madeAt)))}</footer>\n`;
  yield `<p class="toast" role="status"></p>\n<script>${script}</script>\n</body>\n</html>\n`;
}

const allStyles = (): string => `${styles}${pageStyles}`;

function headOf(page: Page): string {
  const { words } = page;
  const [from, to] = page.span ?? [];
  const dates = from && to ? [...new Set([dateOf(from), dateOf(to)])].join(" – ") : "";
  const facts = [
    words.turns(withCommas(page.turns), page.turns === 1),
    page.sessions > 1 ? words.sessions(page.sessions) : "",
    dates,
  ];
  const css = allStyles();
  return `<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashOf(css)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeText(page.program)}">
<title>${escapeText(page.title)}</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#conversation">${words.skip}</a>
<header class="top">
<div class="title"><h1 dir="auto">${escapeText(page.title)}</h1><p class="facts"><span class="project">${escapeText(page.place)}</span>${facts
    .filter((fact) => fact !== "")
    .map((fact) => `<span>${escapeText(fact)}</span>`)
    .join("")}</p></div>
<form class="bar" role="search" hidden data-found="${words.found}" data-copied="${words.copied}">
<input type="search" name="words" placeholder="${words.search}" aria-label="${words.search}" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<output name="found" aria-live="polite"></output>
<button type="button" name="previous" aria-label="${words.previous}" title="${words.previous}" disabled>↑</button><button type="submit" name="next" aria-label="${words.next}" title="${words.next}" disabled>↓</button>
<button type="button" name="unfold">${words.unfold}</button><button type="button" name="fold">${words.fold}</button>
<a class="to-contents" href="#contents">${words.contents}</a>
</form>
</header>
<main id="conversation" tabindex="-1">
`;
}

// The policy names what may be used by its hash: neither a style nor a script of a stored text can have it.
const hashOf = (text: string): string => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;

function sectionHead(section: PageSection, words: Words): string {
  const source = section.source === null ? undefined : (words.sources[section.source] ?? section.source);
  const facts = [`${dateOf(section)} ${timeOf(section).slice(0, 5)}`, ...(source === undefined ? [] : [source])];
  return `<section class="session">
<h2>${words.session} <span class="id">${escapeText(section.session.slice(0, 8))}</span><span class="facts"><time datetime="${isoOf(section)}">${facts.map(escapeText).join(" · ")}</time></span></h2>
`;
}

const dayHead = (date: string): string =>
  `<section class="day"><p class="date"><time datetime="${date}">${date}</time></p>\n`;

const gistOf = ({ summary, messages }: PageTurn): string => head(summary ?? messages[0]?.text ?? "", contentsLength);

/** Makes each name one of its own: turns of two sessions may have begun in one second. */
function uniqueNames(): (name: string) => string {
  const seen = new Map<string, number>();
  return (name) => {
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return n === 1 ? name : `${name}-${n}`;
  };
}
