import { withCommas } from "../context/numbers.ts";
import { bytesOf, type Plan } from "../imports/plan.ts";
import type { Outcome } from "../imports/run.ts";

/** Bytes a second: a little less than what two slow cores reach, see `bun run bench --only import`. */
const usualRate = 40e6;

/** How many seconds an import of so many bytes takes, about. */
export const secondsFor = (bytes: number): number => bytes / usualRate;

const plural = (n: number, one: string): string => `${withCommas(n)} ${one}${n === 1 ? "" : "s"}`;

/** A size to read: `1.1 GB`. */
export const sizeText = (bytes: number): string =>
  bytes >= 1e9
    ? `${(bytes / 1e9).toFixed(1)} GB`
    : bytes >= 1e6
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${Math.ceil(bytes / 1e3)} kB`;

/** A time to read: `about 10 s`. */
export const timeText = (seconds: number): string =>
  seconds < 100 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;

/** What an import would do, in one line. */
export function planText(plan: Plan): string {
  const bytes = bytesOf(plan);
  const parts = [
    plan.transcripts.length > 0 || plan.exports.length + plan.databases.length === 0
      ? plural(plan.transcripts.length, "transcript")
      : "",
    plan.exports.length > 0 ? plural(plan.exports.length, "export") : "",
    plan.databases.length > 0 ? `${plural(plan.databases.length, "database")} of the earlier program` : "",
    bytes > 0 ? sizeText(bytes) : "",
    bytes > 0 ? `about ${timeText(secondsFor(bytes))}` : "",
  ];
  return `${parts.filter(Boolean).join(", ")}; no model calls`;
}

/** What is left out, a line for each reason. */
export const leftOutLines = (plan: Plan): string[] =>
  [...plan.leftOut].map(([reason, files]) => `  left out: ${plural(files, "file")} ${reason}`);

/** An import's end as a table. */
export function outcomeText(outcome: Outcome, bytes: number, seconds: number): string {
  const rate = seconds > 0 && bytes > 0 ? `, ${sizeText(bytes / seconds)}/s` : "";
  const rows: [string, string][] = [
    ["Files", withCommas(outcome.files)],
    ["Sessions", `${withCommas(outcome.sessions)} read, ${withCommas(outcome.newSessions)} new`],
    ["Turns", `${withCommas(outcome.newTurns)} new`],
    ["Read", sizeText(bytes)],
    ["Time", `${seconds.toFixed(1)} s${rate}`],
    ...[...outcome.leftOut].map(([why, n]): [string, string] => ["Left out", `${withCommas(n)}: ${why}`]),
    ...[...outcome.skipped].map(([why, n]): [string, string] => ["Lines skipped", `${withCommas(n)}: ${why}`]),
    ...outcome.badLines.map((line): [string, string] => ["Bad line", line]),
  ];
  return rows.map(([name, value]) => `${name.padEnd(14)}${value}`).join("\n");
}
