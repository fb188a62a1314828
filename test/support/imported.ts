import type { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { importExport } from "../../src/imports/exported.ts";
import { planImport } from "../../src/imports/files.ts";
import { settingsOf } from "../../src/imports/project.ts";
import { type Outcome, runImport } from "../../src/imports/run.ts";
import { exportSessions, exportTurns } from "../../src/store/export.ts";
import type { TempHome } from "./home.ts";

export const atEase = { tick: () => {}, stopped: () => false };

/** Imports paths into a store, in this process. */
export async function importPaths(db: Database, home: TempHome, ...paths: string[]): Promise<Outcome> {
  const env = home.env();
  const settings = settingsOf(env);
  return runImport(db, env, settings, await planImport(env, settings, paths), atEase);
}

/** The lines of an export of everything. */
export function exportLines(db: Database): string[] {
  const lines: unknown[] = [{ type: "export", version: 1, exported_at: 1 }];
  for (const { row, ...session } of exportSessions(db, "all")) {
    lines.push(session, ...exportTurns(db, { row, id: session.id }));
  }
  return lines.map((line) => JSON.stringify(line));
}

/** What an import of these lines came to. */
export async function importLines(db: Database, home: TempHome, lines: readonly string[]) {
  const read = { sessions: new Set<number>(), leftOut: new Map<string, number>(), skipped: new Map<string, number>() };
  const stream = new Blob([lines.map((line) => `${line}\n`).join("")]).stream();
  const { badLines } = await importExport(db, home.env(), settingsOf(home.env()), stream, "an export", read, atEase);
  return { ...read, badLines };
}

/** All that an export of everything says, in an order that does not depend on which session was seen first. */
export const exportSorted = (db: Database): string[] => exportLines(db).sort();

/** Who continues whom and why, by the client's ids. */
export const linksOf = (db: Database): string[] =>
  exportSessions(db, "all")
    .filter(({ link_reason }) => link_reason !== null)
    .map(({ id, predecessor, link_reason }) => `${id} ← ${predecessor} (${link_reason})`)
    .sort();

export const bytesOf = (file: string): string => Bun.hash(readFileSync(file)).toString(36);
