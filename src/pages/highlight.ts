import { escapeText } from "./escape.ts";

interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

// Not by `import`: its types bring those of browsers into every file.
const hljs: Highlighter = require("highlight.js/lib/common");

/** Colouring takes a millisecond for some thousand characters; nobody reads more of one block in colours. */
const longest = 30_000;

/** Code as HTML, with spans of the classes that `highlight.css` colours where the language is a known one. */
export function highlight(code: string, language: string): string {
  if (code.length > longest || !hljs.getLanguage(language)) return escapeText(code);
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
