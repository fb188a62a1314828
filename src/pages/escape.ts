import { printable } from "../output.ts";

/** Text as HTML shows it, in an element or an attribute: no tag, no quote, no control character, no sign that turns its order. */
export const escapeText = (text: string): string => Bun.escapeHTML(printable(text));
