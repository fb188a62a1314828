import { cpus, release } from "node:os";
import type { Comparison } from "./measure.ts";

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

/** The figures as a table to read. */
export function renderReport(machine: Machine, runs: number, figures: readonly Figure[]): string {
  const header = ["", "wall", "target", "", "least wall", "cpu", "ms", "empty ms", "peak MiB", "system calls"];
  const rows = figures.map((figure) => [
    figure.name,
    `${figure.ratio.toFixed(2)}×`,
    `≤ ${figure.target}×`,
    figure.ratio <= figure.target ? "ok" : "OVER",
    `${figure.leastRatio.toFixed(2)}×`,
    `${figure.cpuRatio.toFixed(2)}×`,
    figure.own.wall.toFixed(1),
    figure.base.wall.toFixed(1),
    (figure.peak / 2 ** 20).toFixed(1),
    figure.syscalls?.toString() ?? "",
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const table = [header, ...rows].map((row) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join("  "),
  );
  const title = `${machine.cpu}, ${machine.cores} cores, ${machine.os}, Bun ${machine.bun}`;
  const note = `Whole processes as multiples of an empty compiled program, in turn with it; medians of ${runs} runs.`;
  return [title, note, "", ...table, ""].join("\n");
}
