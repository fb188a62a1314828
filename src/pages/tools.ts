import { head } from "../context/clip.ts";
import { timeOf } from "../context/clock.ts";
import type { Detail } from "../types.ts";
import { type Call, fieldsOf, pairCalls } from "./calls.ts";
import { escapeText } from "./escape.ts";
import type { Words } from "./words.ts";

const mostNamed = 4;
const gistLength = 110;
/** What tells most of a call, in this order. */
const telling = ["command", "file_path", "path", "pattern", "query", "url", "description", "prompt", "skill"];

/** A turn's tool traffic, folded: how much of what it was, then each call, notice and image, folded too. */
export const renderTools = (details: readonly Detail[], zoneOffset: number, words: Words): string =>
  foldTools(details, words, renderTraffic(details, zoneOffset, words));

/**
 * How much of what a turn's tool traffic was, and what is folded under that; nothing where there was none.
 * @param attributes of the element, as HTML
 */
export function foldTools(details: readonly Detail[], words: Words, body: string, attributes = ""): string {
  if (details.length === 0) return "";
  const calls = pairCalls(details);
  const [notices, images] = ["system", "image"].map((kind) => details.filter((detail) => detail.kind === kind).length);
  const counts = [
    calls.length > 0 ? `${words.calls(calls.length)} · ${namesOf(calls)}` : "",
    notices ? words.notices(notices) : "",
    images ? words.images(images) : "",
  ];
  return `<details class="tools"${attributes}><summary>${counts.filter((count) => count !== "").join(" · ")}</summary>\n${body}</details>`;
}

/** What tools did, the notices and the images of a turn, each folded. */
export function renderTraffic(details: readonly Detail[], zoneOffset: number, words: Words): string {
  const at = (time: number) => timeOf({ startedAt: time, zoneOffset });
  return [
    ...pairCalls(details).map((call) => renderCall(call, at(call.at), words)),
    ...details.filter(({ kind }) => kind === "system").map((notice) => renderNotice(notice, at(notice.at), words)),
    ...details
      .filter(({ kind }) => kind === "image")
      .map((image) => `<p class="image">${escapeText(image.output ?? words.image)}</p>`),
    "",
  ].join("\n");
}

function namesOf(calls: readonly Call[]): string {
  const counts = new Map<string, number>();
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const names = [...counts].map(([tool, n]) => `${escapeText(head(tool, 60))}${n > 1 ? ` ×${n}` : ""}`);
  return `${names.slice(0, mostNamed).join(", ")}${names.length > mostNamed ? " …" : ""}`;
}

function renderCall({ tool, input, output }: Call, time: string, words: Words): string {
  const fields = input === undefined ? [] : fieldsOf(input);
  return folded(tool, gistOf(fields ?? [["", input ?? ""]]), time, [
    fields ? fields.map(([name, value]) => renderField(name, value)).join("") : renderField(words.input, input ?? ""),
    output === undefined ? `<p class="none">${words.noOutput}</p>` : renderField(words.output, output, "output"),
  ]);
}

function renderNotice({ tool, input, output }: Detail, time: string, words: Words): string {
  return folded(tool ?? words.notice, gistOf([["", output ?? input ?? ""]]), time, [
    input === undefined ? "" : renderField(words.input, input),
    output === undefined ? "" : renderField(words.output, output, "output"),
  ]);
}

const folded = (name: string, gist: string, time: string, body: readonly string[]): string =>
  `<details class="call"><summary><span class="tool">${escapeText(head(name, 60))}</span> <code class="gist">${escapeText(gist)}</code> <time>${time}</time></summary><div class="traffic">${body.join("")}</div></details>`;

const renderField = (name: string, value: string, kind = "field"): string =>
  `<div class="${kind}" data-name="${escapeText(name)}"><p class="name">${escapeText(name)}</p><pre>${escapeText(value)}</pre></div>`;

function gistOf(fields: readonly (readonly [string, string])[]): string {
  const named = telling.map((name) => fields.find((field) => field[0] === name)).find((field) => field !== undefined);
  return head((named ?? fields[0])?.[1] ?? "", gistLength);
}
