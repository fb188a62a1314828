import MarkdownIt, { type MarkdownIt as Markdown, type RendererRule, type StateCore, type Token } from "markdown-it";
import { printable } from "../output.ts";
import { escapeText } from "./escape.ts";
import { highlight } from "./highlight.ts";
import { asTyped } from "./typed.ts";

/** From here on a text is a log that somebody pasted: shown as it is, since nobody reads it as Markdown. */
const longest = 200_000;

let answers: Markdown | undefined; // made when the first text comes: it takes milliseconds
let prompts: Markdown | undefined;

/** What Claude said, as HTML: Markdown, with the line ends that it wrote. */
export function answerHtml(text: string): string {
  answers ??= makeForAnswers();
  return render(answers, text);
}

/** What a person typed, as HTML: to the letter but for code and addresses. */
export function promptHtml(text: string): string {
  prompts ??= makeForPrompts();
  return render(prompts, text);
}

// Cleaned before and after: a text can write a sign as an entity.
const render = (markdown: Markdown, text: string): string =>
  text.length > longest ? `<p class="typed">${escapeText(text)}</p>` : printable(markdown.render(printable(text)));

function makeForAnswers(): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
  return harden(markdown);
}

function makeForPrompts(): Markdown {
  const markdown = new MarkdownIt("zero", { html: false, linkify: true });
  markdown.enable(["fence", "backticks", "linkify"]).use(asTyped);
  return harden(markdown);
}

/** Whatever a text says, nothing of it runs, is loaded, or leads anywhere but to the web or a mail. */
function harden(markdown: Markdown): Markdown {
  // A name such as README.md is no address.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  // What is no address is told by `closeLinks`, not left as source.
  markdown.validateLink = () => true;
  markdown.core.ruler.push("close links", closeLinks);
  Object.assign(markdown.renderer.rules, {
    image,
    fence,
    code_block: fence,
    heading_open: headingOpen,
    heading_close: () => "</h4>\n",
    th_open: cell,
    td_open: cell,
    table_open: () => '<div class="wide" tabindex="0"><table>\n',
    table_close: () => "</table></div>\n",
  } satisfies Record<string, RendererRule>);
  return markdown;
}

const leadsOut = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

function closeLinks(state: StateCore): void {
  for (const { children } of state.tokens) {
    const open: Token[] = [];
    for (const token of children ?? []) {
      if (token.type === "link_open") open.push(closeLink(token));
      if (token.type === "link_close") token.tag = open.pop()?.tag ?? token.tag;
    }
  }
}

function closeLink(token: Token): Token {
  const href = attributeOf(token, "href");
  token.attrs = leadsOut(href)
    ? [
        ["href", href],
        ["rel", "noopener noreferrer nofollow"],
        ["target", "_blank"],
        ["title", href],
      ]
    : [
        ["class", "target"],
        ["title", href],
      ];
  token.tag = leadsOut(href) ? "a" : "span";
  return token;
}

const image: RendererRule = (tokens, at, options, env, self) => {
  const token = tokens[at] as Token;
  const alt = self.renderInlineAsText(token.children ?? [], options, env);
  const src = attributeOf(token, "src");
  return `<span class="image" title="${escapeText(src)}">${escapeText(alt || src)}</span>`;
};

const fence: RendererRule = (tokens, at) => {
  const { content, info } = tokens[at] as Token;
  const language = info.trim().split(/\s+/)[0] ?? "";
  const label = language === "" ? "" : ` data-language="${escapeText(language)}"`;
  return `<pre class="code"${label} tabindex="0"><code>${highlight(content, language)}</code></pre>\n`;
};

// The page has headings of its own: those of a text are all of one rank below them.
const headingOpen: RendererRule = (tokens, at) => `<h4 class="${(tokens[at] as Token).tag}">`;

// Alignment without a style attribute, which the page's policy forbids.
const cell: RendererRule = (tokens, at) => {
  const token = tokens[at] as Token;
  const side = /center|right/.exec(attributeOf(token, "style"))?.[0];
  return side === undefined ? `<${token.tag}>` : `<${token.tag} class="${side}">`;
};

const attributeOf = (token: Token, name: string): string => `${token.attrGet(name) ?? ""}`;
