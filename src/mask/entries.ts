import type { Entry } from "../transcript/entry.ts";
import type { Masks } from "./masks.ts";

/** An entry of a transcript with masks in it: nothing that the reader carries on or stores holds what is masked. */
export function maskEntry(entry: Entry, { details, words }: Masks): Entry {
  switch (entry.kind) {
    case "prompt":
      return { ...entry, text: words(entry.text), context: entry.context.map(details) };
    case "command":
      return { ...entry, text: words(entry.text) };
    case "queued":
      return { ...entry, text: words(entry.text) };
    case "queue":
      return entry.text === undefined ? entry : { ...entry, text: words(entry.text) };
    case "interrupt":
      return { ...entry, said: entry.said.map(words) };
    case "answer": {
      const tools = entry.tools.map((tool) => ({ ...tool, input: details(tool.input) }));
      return { ...entry, texts: entry.texts.map(words), tools };
    }
    case "results": {
      const results = entry.results.map((result) => ({ ...result, text: details(result.text) }));
      return { ...entry, results, said: entry.said.map(words) };
    }
    case "notice":
      return {
        ...entry,
        text: details(entry.text),
        ...(entry.input === undefined ? {} : { input: details(entry.input) }),
      };
    // A command that the person gives a shell is tool traffic as well, and its prompt the same text.
    case "plan":
    case "shell":
    case "shell_output":
      return { ...entry, text: details(entry.text) };
    case "nothing":
    case "skipped":
      return entry;
  }
}
