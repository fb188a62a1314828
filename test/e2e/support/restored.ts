import { expect } from "bun:test";
import { type Request, textOf } from "./request.ts";
import type { Turn } from "./talk.ts";

/** The context that the SessionStart hooks gave the model, as it stands in that request. */
export function restoredIn(request: Request): string {
  const [, restored] = textOf(request).split("SessionStart hook additional context: ");
  return restored ?? "";
}

// The last exchange is told again outside these two, so that neither end of the text leaves it out.
const headings = { earlier: "### Earlier turns, summarized", recent: "### Recent turns" };

/** The number of every part in the order of arrival, and how many there should be. */
export function partsOf(restored: string): { numbers: number[]; total: number } {
  const heads = [...restored.matchAll(/\bpart (\d) of (\d)\b/g)];
  return { numbers: heads.map((head) => Number(head[1])), total: Number(heads[0]?.[2] ?? 0) };
}

/** The time under which a turn was restored, as `throughline detail` takes it. */
export function timeOf(restored: string, turn: Turn): string {
  const head = restored.split("\n").find((line) => line.startsWith("[") && line.endsWith(`[user]: ${turn.prompt}`));
  const time = /^\[(\d\d:\d\d:\d\d(?:#\d+)?)\]/.exec(head ?? "")?.[1];
  if (time === undefined) throw new Error(`no time before ${turn.label} in:\n${restored}`);
  return time;
}

/** Expects the turns word for word, each line once, oldest to newest, and none of what only their tools printed. */
export function expectInFull(restored: string, turns: Turn[]): void {
  const lines = turns.flatMap(linesOf);
  const [earlier, recent] = [sectionOf(restored, headings.earlier), sectionOf(restored, headings.recent)];
  expect(lines.filter((line) => count(recent, line) !== 1)).toEqual([]);
  expect(lines.filter((line) => earlier.includes(line))).toEqual([]);
  const places = lines.map((line) => recent.indexOf(line));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expectNoTools(restored, turns);
}

/** Expects a trace of each turn, in order, but not its whole text. */
export function expectShortened(restored: string, turns: Turn[]): void {
  const earlier = sectionOf(restored, headings.earlier);
  const places = turns.map((turn) => earlier.indexOf(turn.label));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const whole = turns.filter((turn) => linesOf(turn).every((line) => restored.includes(line)));
  expect(labelsOf(whole)).toEqual([]);
  expectNoTools(restored, turns);
}

/** Expects these texts among the recent turns, each once and in this order. */
export function expectTold(restored: string, texts: string[]): void {
  const recent = sectionOf(restored, headings.recent);
  expect(texts.filter((text) => count(recent, text) !== 1)).toEqual([]);
  const places = texts.map((text) => recent.indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

/** Expects none of these texts anywhere. */
export function expectUntold(restored: string, texts: string[]): void {
  expect(texts.filter((text) => restored.includes(text))).toEqual([]);
}

/** Expects nothing at all of these turns. */
export function expectAbsent(restored: string, turns: Turn[]): void {
  expect(labelsOf(turns.filter((turn) => restored.includes(turn.label)))).toEqual([]);
}

/** What stands under a heading, up to the next one; empty where there is no such heading. */
function sectionOf(restored: string, heading: string): string {
  const [, below = ""] = restored.split(`${heading}\n`);
  return below.split("\n### ")[0] ?? "";
}

function expectNoTools(restored: string, turns: Turn[]): void {
  expect(labelsOf(turns.filter((turn) => restored.includes(turn.tool)))).toEqual([]);
}

function labelsOf(turns: Turn[]): string[] {
  return turns.map((turn) => turn.label);
}

function linesOf(turn: Turn): string[] {
  return [turn.prompt, turn.opening, ...turn.answer];
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
