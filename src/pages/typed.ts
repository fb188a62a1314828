import type { MarkdownIt, StateBlock } from "markdown-it";

/**
 * A Markdown plugin that leaves a paragraph as it was typed: its indentation and its line ends stay, and nothing but a fence
 * ends it before the next blank line.
 */
export function asTyped(markdown: MarkdownIt): void {
  markdown.block.ruler.at("paragraph", (state: StateBlock, start: number, end: number): boolean => {
    const enders = markdown.block.ruler.getRules("paragraph");
    let next = start + 1;
    while (next < end && !state.isEmpty(next) && !enders.some((ends) => ends(state, next, end, true))) next += 1;
    state.line = next;
    state.push("paragraph_open", "p", 1).attrs = [["class", "typed"]];
    const inline = state.push("inline", "", 0);
    inline.content = state.getLines(start, next, 0, false).trimEnd();
    inline.children = [];
    state.push("paragraph_close", "p", -1);
    return true;
  });
}
