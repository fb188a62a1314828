import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { makeHistory } from "./history.ts";
import { type Comparison, compare, run } from "./measure.ts";
import { measurePeak } from "./peak.ts";
import { type Stage, setStage } from "./stage.ts";

/** The first reading of a transcript that the store has never seen. */
export interface Reading {
  name: string;
  /** Bytes of transcript. */
  size: number;
  /** Whether half of it is one line, all of it a result's copy and an image. */
  oneLine?: boolean;
  /** The most runs that are worth their time. */
  runs: number;
}

/** What a first reading took, beside a program that parses every line of the same file and keeps nothing. */
export interface ReadingFigure extends Comparison {
  name: string;
  ratio: number;
  leastRatio: number;
  cpuRatio: number;
  /** Bytes, and the most that it may be: what the program needs, and twice the longest line. */
  peak: number;
  mostPeak: number;
  /** Bytes of database to a byte of transcript. */
  density: number;
}

const megabyte = 1_000_000;
const hour = 3_600_000;
const session = "00000000-0000-4000-8000-000000000001";
/** Bytes, without the line in hand. */
const mostMemory = 120 * 2 ** 20;

/** The readings that are measured, the largest only when asked for. */
export const readings = (large: boolean): Reading[] => [
  { name: "first reading of 10 MB", size: 10 * megabyte, runs: 20 },
  { name: "first reading of 100 MB", size: 100 * megabyte, runs: 7 },
  { name: "first reading of 200 MB, half of them one line", size: 200 * megabyte, oneLine: true, runs: 3 },
  ...(large ? [{ name: "first reading of 1 GB", size: 1_000 * megabyte, runs: 3 }] : []),
];

/** What a transcript, its store and their copies take on the disk, with some room: bytes. */
export const roomFor = (size: number): number => size * 1.5 + 500 * megabyte;

/** How many bytes are free where the bench works. */
export function freeRoom(): number {
  const { bavail, bsize } = statfsSync(tmpdir());
  return bavail * bsize;
}

/** Measures `binary` reading a transcript for the first time, in turn with `plain`, which only parses it. */
export async function measureReading(
  { name, size, runs, oneLine = false }: Reading,
  binary: string,
  plain: string,
  mostRuns: number,
): Promise<ReadingFigure> {
  using stage = setStage(binary);
  const longest = writeHistory(stage, size, oneLine ? size / 2 : 0);
  const call = stage.hook(["stop"], session, { hook_event_name: "Stop", permission_mode: "default" });
  const restore = () => rmSync(stage.data, { recursive: true, force: true });
  const comparison = await compare(
    Math.min(runs, mostRuns),
    () => run(stage.call([plain, stage.transcript(session)])),
    () => {
      restore();
      return run(call);
    },
  );
  if (stage.countTurns() === 0) throw new Error(`${name}: nothing was stored`);
  const density = stage.storedBytes() / size;
  restore();
  const { base, own, leastBase, leastOwn } = comparison;
  return {
    name,
    ratio: own.wall / base.wall,
    leastRatio: leastOwn.wall / leastBase.wall,
    cpuRatio: own.cpu / base.cpu,
    peak: await measurePeak(call),
    mostPeak: mostMemory + 2 * longest,
    density,
    ...comparison,
  };
}

/** Writes the session's transcript, with one line of so many bytes; returns the length of its longest line in bytes. */
function writeHistory(stage: Stage, size: number, oneLine: number): number {
  const history = makeHistory(1, session, stage.project, Date.now() - 48 * hour);
  const fd = openSync(stage.transcript(session), "w");
  let written = writeSync(fd, oneLine > 0 ? history.largeLine(oneLine) : "");
  let longest = written;
  while (written < size) {
    const turn = history.turn();
    written += writeSync(fd, turn);
    for (const line of turn.split("\n")) longest = Math.max(longest, Buffer.byteLength(line));
  }
  closeSync(fd);
  return longest;
}
