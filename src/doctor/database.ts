import type { Database } from "bun:sqlite";
import { lstatSync, type Stats, statfsSync, statSync } from "node:fs";
import { listBackups } from "../backups/files.ts";
import { readConfig, readSettings } from "../config.ts";
import type { Env } from "../env.ts";
import { configFile, databaseFile, dataFolder } from "../paths.ts";
import { projectPath } from "../project.ts";
import { findLastFailure } from "../store/failures.ts";
import { readHealth } from "../store/health.ts";
import { broken, type Finding, note, ok } from "./finding.ts";

const day = 86_400_000;

/** The settings, the rights on what is stored, and the database. */
export function checkDatabase(env: Env, db: Database): Finding[] {
  const file = databaseFile(env);
  const { schema, newestSchema, integrity, journalMode, sqliteVersion, hasFullTextSearch } = readHealth(db);
  const size = `${(statSync(file).size / 1e6).toFixed(1)} MB`;
  const isWhole = integrity.length === 1 && integrity[0] === "ok";
  const findings = [
    isWhole
      ? ok(
          `the database is whole: ${file}, ${size}, schema ${schema}, journal ${journalMode}, SQLite ${sqliteVersion}${hasFullTextSearch ? " with FTS5" : ""}`,
        )
      : broken(
          `the database is damaged: ${integrity.join("; ")}`,
          "turns may be unreadable",
          "throughline db repair, which keeps the damaged file, or throughline doctor --fix",
        ),
  ];
  if (schema > newestSchema)
    findings.push(
      broken(
        `the database has schema ${schema}, this program knows ${newestSchema}`,
        "hooks refuse it",
        "install the newer version again",
      ),
    );
  if (!hasFullTextSearch)
    findings.push(
      note("this SQLite has no FTS5", "search is slower or absent", "install a release of throughline again"),
    );
  if (journalMode !== "wal")
    findings.push(
      note(
        `the journal is ${journalMode}, not WAL`,
        "sessions that write at once wait for each other",
        "set THROUGHLINE_HOME to a folder on a local disk",
      ),
    );
  return [...findings, ...checkRights(env), ...checkFileSystem(env), newestBackup(env), lastError(env, db)];
}

/** The settings file. */
export function checkConfig(env: Env): Finding {
  try {
    const { capture } = readConfig(env, projectPath(env.vars.CLAUDE_PROJECT_DIR || env.cwd));
    return capture === "on"
      ? ok("the settings are readable, capture is on")
      : note("capture is off", "nothing is stored", "throughline on");
  } catch (error) {
    return broken((error as Error).message, "what is not understood counts as not set", `repair ${configFile(env)}`);
  }
}

/** Whether others could read or write what is stored. */
export function checkRights(env: Env): Finding[] {
  if (process.platform === "win32") return [];
  const wanted: [string, number][] = [
    [dataFolder(env), 0o700],
    [databaseFile(env), 0o600],
  ];
  const open = wanted.filter(([path, mode]) => ((statOf(path)?.mode ?? 0) & 0o777 & ~mode) !== 0);
  if (open.length === 0) return [ok("only you can read what is stored")];
  return open.map(([path, mode]) =>
    broken(`others have rights on ${path}`, "it holds your conversations", `chmod ${mode.toString(8)} ${path}`, [
      { do: "mode", path, mode },
    ]),
  );
}

// Only the person's own: of another's the rights are not theirs to change.
function statOf(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.uid === process.geteuid?.() && !stats?.isSymbolicLink() ? stats : undefined;
}

// statfs(2): the network file systems that people have their homes on.
const networks: Readonly<Record<number, string>> = {
  26985: "NFS",
  4283649346: "CIFS",
  20859: "SMB",
  4266872130: "SMB2",
  16914839: "9p",
};

function checkFileSystem(env: Env): Finding[] {
  const name = networks[statfsSync(dataFolder(env)).type >>> 0];
  if (name === undefined) return [];
  return [
    note(
      `${dataFolder(env)} is on ${name}`,
      "SQLite's WAL is not safe between machines on a network file system",
      "set THROUGHLINE_HOME to a local folder",
    ),
  ];
}

// A week, and some days in which no session ended.
const oldBackup = 14 * day;

function newestBackup(env: Env): Finding {
  const [newest] = listBackups(env);
  if (!newest) return ok("there is no backup yet: the first is made at the end of a session");
  const what = `the newest backup is of ${new Date(newest.at).toISOString()}: ${newest.path}`;
  if (env.now() - newest.at < oldBackup || readSettings(env, () => undefined).config.backups === 0) return ok(what);
  return note(what, "it should be a week old at most; status says the last error", "throughline db backup");
}

function lastError(env: Env, db: Database): Finding {
  const failure = findLastFailure(db);
  if (!failure || env.now() - failure.at > 7 * day) return ok("no error in the last seven days");
  return note(
    `${new Date(failure.at).toISOString()} at ${failure.event}: ${failure.message}`,
    "the last error of a hook; what it missed is read at the next event",
    "throughline status shows what was stored since",
  );
}
