import type { Work } from "../imports/work.ts";
import { sizeText, timeText } from "./import-words.ts";

const barLength = 24;
const drawEvery = 100;

// Its own lines: one line on one stream that is drawn anew is less than any library for it brings along.

/**
 * The progress of an import on stderr, where that is a terminal: how far, how fast, how long yet. `tick` counts what it is
 * told; `clear` takes the line away.
 * @param total bytes
 * @param now UTC milliseconds
 */
export function showProgress(
  total: number,
  now: () => number,
  stopped: () => boolean,
): Work & { read: () => number; clear: () => void } {
  const { stderr } = process;
  const started = now();
  let [read, drawnAt] = [0, 0];
  const draw = () => stderr.write(`\r${progressLine(read, total, (now() - started) / 1_000)}\x1b[K`);
  return {
    stopped,
    read: () => read,
    tick: (bytes) => {
      read += bytes;
      if (!stderr.isTTY || now() - drawnAt < drawEvery) return;
      drawnAt = now();
      draw();
    },
    clear: () => {
      if (drawnAt > 0) stderr.write("\r\x1b[K");
    },
  };
}

/** One line: `██████░░░░  43 %  412.0 MB of 1.1 GB  98.2 MB/s  7 s left`. */
export function progressLine(read: number, total: number, seconds: number): string {
  const rate = seconds > 0 ? read / seconds : 0;
  const speed = rate > 0 ? `  ${sizeText(rate)}/s` : "";
  if (total <= 0) return `${sizeText(read)}${speed}`;
  const share = Math.min(1, read / total);
  const full = Math.round(share * barLength);
  const left = rate > 0 ? `  ${timeText(Math.max(0, total - read) / rate)} left` : "";
  const bar = "█".repeat(full) + "░".repeat(barLength - full);
  return `${bar}  ${Math.floor(share * 100)} %  ${sizeText(Math.min(read, total))} of ${sizeText(total)}${speed}${left}`;
}
