import type { Entry, Placed } from "./entry.ts";

const ownCommand = /^\/(throughline:|sc-detail$)/;

/**
 * A slash command from the tags that the client wraps it in.
 * @param local whether the client says that it deals with it itself
 */
export function commandOf(placed: Placed, text: string, local = false): Entry {
  const name = (inner(text, "command-name") ?? inner(text, "command-message") ?? "").trim();
  const slashed = name.startsWith("/") ? name : `/${name}`;
  const args = (inner(text, "command-args") ?? "").trim();
  return {
    kind: "command",
    ...placed,
    text: args === "" ? slashed : `${slashed} ${args}`,
    asksClaude: args !== "" && !local,
    own: ownCommand.test(slashed),
  };
}

/** The text between a tag's first opening and last closing: what the client wraps may itself hold the tag. */
export function inner(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.lastIndexOf(`</${tag}>`);
  return start === -1 || end === -1 ? undefined : text.slice(start + tag.length + 2, end);
}

/** What a local command printed. */
export const outputOf = (text: string): string =>
  inner(text, "local-command-stdout") ?? inner(text, "local-command-stderr") ?? text;
