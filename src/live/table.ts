import Table from "cli-table3";
import { short } from "../statusline/line.ts";
import type { LiveRow } from "./rows.ts";

const steps = "▁▂▃▄▅▆▇█";

/** A figure for each value, the highest for the greatest. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value) => steps[Math.min(steps.length - 1, Math.floor((value / most) * steps.length))]).join("");
}

/** `8 s`, `12 min`, `3 h`, `2 d`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

interface Column {
  title: string;
  of: (row: LiveRow) => string;
  isNumber?: boolean;
  /** The greater, the sooner it goes where the terminal is narrow. */
  luxury: number;
}

const columns: readonly Column[] = [
  { title: "project", of: ({ project }) => project, luxury: 0 },
  { title: "state", of: ({ state }) => state ?? "", luxury: 0 },
  { title: "context", of: contextText, isNumber: true, luxury: 0 },
  { title: "growth", of: ({ growth }) => sparkline(growth), luxury: 3 },
  { title: "turns", of: ({ turns }) => (turns > 0 ? `${turns}` : ""), isNumber: true, luxury: 4 },
  { title: "/clear keeps", of: keepsText, isNumber: true, luxury: 1 },
  { title: "for", of: ({ age }) => ageText(age), isNumber: true, luxury: 2 },
];

function contextText({ context_tokens: tokens, context_window: window }: LiveRow): string {
  if (tokens === null) return "";
  return window === null
    ? short(tokens)
    : `${short(tokens)}/${short(window)} ${`${Math.floor((tokens / window) * 100)}`.padStart(2)} %`;
}

function keepsText({ clear_keeps: kept }: LiveRow): string {
  if (kept === null) return "";
  return kept === 0 ? "clean" : `≈${short(kept)}`;
}

const gap = 2;
const narrowestProject = 8;

/**
 * The rows as a table that fits the width: columns go, the least needed first, before the project's name is cut.
 * @param rows whose names hold no control characters
 */
export function liveTable(rows: readonly LiveRow[], width: number): string {
  if (rows.length === 0) return "No Claude Code session is live.";
  const cells = rows.map((row) => columns.map(({ of }) => of(row)));
  const widths = columns.map(({ title }, n) =>
    Math.max(Bun.stringWidth(title), ...cells.map((row) => Bun.stringWidth(row[n] ?? ""))),
  );
  const shown = columns.map((_, n) => n);
  const room = () => width - shown.slice(1).reduce((sum, n) => sum + (widths[n] ?? 0) + gap, 0);
  while (room() < Math.min(widths[0] ?? 0, 16) && shown.length > 3) {
    const luxury = Math.max(...shown.map((n) => columns[n]?.luxury ?? 0));
    shown.splice(
      shown.findIndex((n) => columns[n]?.luxury === luxury),
      1,
    );
  }
  const project = Math.max(narrowestProject, Math.min(widths[0] ?? 0, room()));
  // What stands to the left keeps its distance by itself.
  const line = (texts: readonly string[]): string[] =>
    shown.map((n, at) => (at === 0 || columns[n]?.isNumber ? "" : " ".repeat(gap)) + texts[n]);
  const table = new Table({
    head: line(columns.map(({ title }) => title)),
    colWidths: shown.map((n, at) => (at === 0 ? project : (widths[n] ?? 0) + gap)),
    colAligns: shown.map((n) => (columns[n]?.isNumber ? "right" : "left")),
    chars: bare,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...cells.map(line));
  return table.toString().replace(/ +$/gm, "");
}

// Columns apart, and no lines between them.
const bare = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
    .map((name) => [name, ""]),
);
