import { cpus, release } from "node:os";
import type { ImportFigure } from "./imports.ts";
import type { Comparison } from "./measure.ts";
import type { ReadingFigure } from "./readings.ts";

/** The machine that the figures are from. */
export interface Machine {
  cpu: string;
  cores: number;
  os: string;
  bun: string;
}

/** A scenario's figures. */
export interface Figure extends Comparison {
  name: string;
  target: number;
  /** Multiples of the empty program. */
  ratio: number;
  leastRatio: number;
  cpuRatio: number;
  /** Bytes, of one process; where several run at once they are alike. */
  peak: number;
  syscalls?: number;
}

/** Names the machine that this runs on. */
export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: navigator.hardwareConcurrency,
  os: `${process.platform} ${release()} ${process.arch}`,
  bun: Bun.version,
});

/** The most that a first reading may take: a multiple of parsing alone, and bytes of store to a byte of transcript. */
const mostReading = { ratio: 2.5, density: 0.1 };

/** The hooks' figures as a table to read. */
export function renderFigures(figures: readonly Figure[]): string {
  const header = ["", "wall", "target", "", "least wall", "cpu", "ms", "empty ms", "peak MiB", "system calls"];
  const rows = figures.map((figure) => [
    figure.name,
    times(figure.ratio),
    `≤ ${figure.target}×`,
    verdict(figure.ratio <= figure.target),
    times(figure.leastRatio),
    times(figure.cpuRatio),
    figure.own.wall.toFixed(1),
    figure.base.wall.toFixed(1),
    mebibytes(figure.peak),
    figure.syscalls?.toString() ?? "",
  ]);
  return renderTable(header, rows);
}

/** The first readings' figures as a table to read. */
export function renderReadings(figures: readonly ReadingFigure[]): string {
  const header = ["", "wall", `≤ ${mostReading.ratio}×`, "least wall", "cpu", "ms", "plain ms", "peak MiB", "most", ""];
  const rows = figures.map((figure) => [
    figure.name,
    times(figure.ratio),
    verdict(figure.ratio <= mostReading.ratio),
    times(figure.leastRatio),
    times(figure.cpuRatio),
    figure.own.wall.toFixed(0),
    figure.base.wall.toFixed(0),
    mebibytes(figure.peak),
    mebibytes(figure.mostPeak),
    verdict(figure.peak <= figure.mostPeak),
    figure.density.toFixed(3),
    verdict(figure.density <= mostReading.density),
  ]);
  return renderTable([...header, "stored", `≤ ${mostReading.density}`], rows);
}

/** The imports' figures as a table to read. */
export function renderImports(figures: readonly ImportFigure[]): string {
  const header = ["", "files", "ms", "MB/s", "least ms", "once more ms", "peak MiB", "stored"];
  const rows = figures.map((figure) => [
    figure.name,
    figure.files.toString(),
    figure.wall.toFixed(0),
    (figure.size / 1_000 / figure.wall).toFixed(1),
    figure.least.toFixed(0),
    figure.again.toFixed(0),
    mebibytes(figure.peak),
    figure.density.toFixed(3),
  ]);
  return renderTable(header, rows);
}

/** What the figures are figures of. */
export const renderTitle = (machine: Machine, runs: number): string =>
  `${machine.cpu}, ${machine.cores} cores, ${machine.os}, Bun ${machine.bun}
Whole processes in turn with an empty compiled program, a first reading with one that parses every line and keeps
nothing, as multiples of it; medians of ${runs} runs, fewer for what is large.
`;

const times = (ratio: number): string => `${ratio.toFixed(2)}×`;
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
const verdict = (fine: boolean): string => (fine ? "ok" : "OVER");

/** A table to read: the first column to the left, the others to the right. */
export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const lines = [header, ...rows].map((row) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join("  "),
  );
  return `${lines.join("\n")}\n`;
}
