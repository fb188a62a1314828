import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeHistory } from "./history.ts";
import { type Call, run } from "./measure.ts";
import { measurePeak } from "./peak.ts";
import { type Stage, setStage } from "./stage.ts";

/** An import of a whole projects folder. */
export interface Import {
  name: string;
  /** Bytes of transcripts. */
  size: number;
  runs: number;
}

/** What an import took. */
export interface ImportFigure {
  name: string;
  files: number;
  /** Bytes. */
  size: number;
  /** Milliseconds, the median and the least. */
  wall: number;
  least: number;
  /** Milliseconds once everything is stored. */
  again: number;
  /** Bytes. */
  peak: number;
  /** Bytes of database to a byte of transcript. */
  density: number;
}

const megabyte = 1_000_000;
const day = 86_400_000;
const written = "00000000-0000-4000-8000-000000000000";
/** Real sessions have 1 turn in the median and 72 at most. */
const turnsOfSessions = [1, 1, 2, 1, 4, 1, 8, 2, 1, 3, 1, 14, 1, 5, 34];

/** The imports that are measured, the largest only when asked for. */
export const imports = (large: boolean): Import[] => [
  { name: "import of 100 MB", size: 100 * megabyte, runs: 5 },
  ...(large ? [{ name: "import of 1 GB", size: 1_000 * megabyte, runs: 2 }] : []),
];

/** Measures `binary` importing transcripts that the store has never seen, and then once more. */
export async function measureImport({ name, size, runs }: Import, binary: string, most: number): Promise<ImportFigure> {
  using stage = setStage(binary);
  const files = writeProjects(stage, size);
  // What it says on stderr is for the person who waits.
  const call: Call = stage.call(["/bin/sh", "-c", 'exec "$0" import --yes 2>/dev/null', binary]);
  const walls: number[] = [];
  for (let n = 0; n < Math.min(runs, most); n += 1) {
    rmSync(stage.data, { recursive: true, force: true });
    walls.push((await run(call)).wall);
  }
  if (stage.countTurns() === 0) throw new Error(`${name}: nothing was stored`);
  const density = stage.storedBytes() / size;
  const again = (await run(call)).wall;
  rmSync(stage.data, { recursive: true, force: true });
  const peak = await measurePeak(call);
  walls.sort((a, b) => a - b);
  const [wall = Number.NaN, least = Number.NaN] = [walls[walls.length >> 1], walls[0]];
  return { name, files, size, wall, least, again, peak, density };
}

// One history cut into sessions: each has lines, uuids and a time of its own.
function writeProjects(stage: Stage, size: number): number {
  const history = makeHistory(1, written, stage.project, Date.now() - 30 * day);
  const folder = dirname(stage.transcript("any"));
  let files = 0;
  for (let bytes = 0; bytes < size; files += 1) {
    const session = `00000000-0000-4000-8000-${String(files + 1).padStart(12, "0")}`;
    const turns = turnsOfSessions[files % turnsOfSessions.length] ?? 1;
    const text = Array.from({ length: turns }, () => history.turn().replaceAll(written, session)).join("");
    const file = join(folder, `${session}.jsonl`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
    bytes += statSync(file).size;
  }
  return files;
}
