import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { defineCommand } from "citty";
import { listBackups } from "../backups/files.ts";
import type { Env } from "../env.ts";
import { printJson, printText } from "../output.ts";
import { databaseFile } from "../paths.ts";
import { countSkipped } from "../store/checkpoints.ts";
import { findLastFailure } from "../store/failures.ts";
import { findLastRestore } from "../store/restores.ts";
import { getSession } from "../store/sessions.ts";
import { readTotals, type Totals } from "../store/totals.ts";
import { findScope, openForReading } from "./scope.ts";
import { type LinesStatus, lineRows, readLinesStatus } from "./status-lines.ts";
import { showLive } from "./status-live.ts";
import { UsageError } from "./usage.ts";

/** `throughline status`: what is stored for this project and how the last capture and restore went. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "status",
      description: "Show what is stored for this project, the last capture, the last restore, the last error",
    },
    args: {
      all: { type: "boolean", description: "The live sessions of every project, one row each" },
      watch: { type: "boolean", description: "With --all: refreshed in place until q" },
      json: { type: "boolean", description: "Print JSON" },
    },
    async run({ args }) {
      if (args.watch && !args.all) throw new UsageError("--watch goes with --all");
      if (args.all) return await showLive(env, { json: args.json === true, watch: args.watch === true });
      using db = openForReading(env);
      const status = readStatus(db, env);
      await (args.json ? printJson(status) : printText(`${statusText(status)}\n`));
    },
  });

interface Status {
  database: { file: string; bytes: number };
  project: Totals | null;
  skipped: Record<string, number>;
  last_restore: {
    at: string;
    session: string;
    full_turns: number;
    line_turns: number;
    characters: number;
    parts: number;
    replaced_tokens: number | null;
  } | null;
  lines: LinesStatus;
  newest_backup: { file: string; at: string } | null;
  last_error: { at: string; event: string; message: string } | null;
}

function readStatus(db: Database, env: Env): Status {
  const file = databaseFile(env);
  const projectId = findScope(db, env, undefined)?.projectId;
  const restore = projectId === undefined ? undefined : findLastRestore(db, projectId);
  const failure = findLastFailure(db);
  const [backup] = listBackups(env);
  return {
    database: { file, bytes: statSync(file).size },
    project: projectId === undefined ? null : readTotals(db, projectId),
    skipped: projectId === undefined ? {} : Object.fromEntries(countSkipped(db, projectId)),
    last_restore: restore
      ? {
          at: new Date(restore.startedAt).toISOString(),
          session: getSession(db, restore.sessionId).sessionId,
          full_turns: restore.fullTurns,
          line_turns: restore.lineTurns,
          characters: restore.characters,
          parts: restore.parts,
          replaced_tokens: restore.replacedTokens,
        }
      : null,
    lines: readLinesStatus(db, env, projectId),
    newest_backup: backup ? { file: backup.path, at: new Date(backup.at).toISOString() } : null,
    last_error: failure
      ? { at: new Date(failure.at).toISOString(), event: failure.event, message: failure.message }
      : null,
  };
}

function statusText(status: Status): string {
  const { database, project, skipped, last_restore: restore, lines, newest_backup: backup, last_error: error } = status;
  const rows: [string, string][] = [["Database", `${database.file} (${megabytes(database.bytes)})`]];
  if (!project) rows.push(["Project", "nothing is stored for this folder"]);
  else {
    rows.push(["Project", project.path]);
    rows.push([
      "Stored",
      `${project.turns} turns of ${project.sessions} sessions, ${project.messages} messages, ${project.details} details`,
    ]);
    if (project.headless > 0) rows.push(["Left out", `${project.headless} sessions that nobody attended`]);
    rows.push(["Last capture", project.lastCaptureAt ?? "none yet"]);
    const told =
      restore &&
      `${restore.at}: ${restore.full_turns} turns in full, ${restore.line_turns} as lines, ${restore.characters} characters in ${restore.parts} parts, session ${restore.session}`;
    rows.push(["Last restore", told ?? "none yet"]);
  }
  for (const [reason, count] of Object.entries(skipped)) rows.push(["Lines skipped", `${count}: ${reason}`]);
  rows.push(...lineRows(lines));
  rows.push(["Backup", backup ? `${backup.at}: ${backup.file}` : "none yet"]);
  rows.push(["Last error", error ? `${error.at} at ${error.event}: ${error.message}` : "none"]);
  return rows.map(([name, value]) => `${name.padEnd(14)}${value.replace(/[\r\n]+/g, " ")}`).join("\n");
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
