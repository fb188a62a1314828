import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { type Backup, listBackups, makeBackup } from "../backups/files.ts";
import { findDamage, repair } from "../backups/repair.ts";
import { restoreBackup } from "../backups/restore.ts";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { databaseFile } from "../paths.ts";
import { mayBeDamage } from "../store/damage.ts";
import { overwriteDeleted, reclaim } from "../store/erase.ts";
import { readHealth } from "../store/health.ts";
import { openStoreReadonly } from "../store/open.ts";
import { openAsIs } from "../store/upkeep.ts";
import { countAll } from "../store/windows.ts";
import { agrees } from "./ask.ts";
import { sizeText } from "./import-words.ts";
import { openForReading, openForWriting } from "./scope.ts";
import { UsageError } from "./usage.ts";

type Action = (env: Env, path: string | undefined, yes: boolean) => Promise<void>;

const actions: Readonly<Record<string, Action>> = { check, backup, restore, repair: repairStore, compact };

/** `throughline db`: the database file itself. */
export default (env: Env) =>
  defineCommand({
    meta: { name: "db", description: "Check, back up, restore or repair the database" },
    args: {
      action: {
        type: "positional",
        required: true,
        description: "check, backup [FILE], restore [FILE] (absent: list what there is), repair, or compact",
      },
      file: { type: "positional", required: false, description: "Where the backup goes, or which one is restored" },
      yes: { type: "boolean", alias: "y", description: "Say yes to every question" },
    },
    async run({ args }) {
      const action = Object.hasOwn(actions, args.action) ? actions[args.action] : undefined;
      if (!action) throw new UsageError(`db takes ${Object.keys(actions).join(", ")}, not "${args.action}"`);
      await action(env, args.file === undefined ? undefined : resolve(env.cwd, args.file), args.yes === true);
    },
  });

async function check(env: Env): Promise<void> {
  using db = openForReading(env);
  const damage = findDamage(env);
  if (damage !== undefined)
    throw new Error(`the database is damaged: ${damage}; \`throughline db repair\` saves what it holds`);
  const { schema, journalMode, sqliteVersion } = readHealth(db);
  await printText(`${describe(db, databaseFile(env))}
Schema ${schema}, journal ${journalMode}, SQLite ${sqliteVersion}
Whole: every page, every row, every packed text
`);
}

async function backup(env: Env, file: string | undefined): Promise<void> {
  using db = openForReading(env);
  const made = makeBackup(db, env, ...(file === undefined ? [] : [file]));
  using copy = openAsIs(made);
  await printText(`${describe(copy, made)}\n`);
}

async function restore(env: Env, file: string | undefined, yes: boolean): Promise<void> {
  if (file === undefined) return printText(listText(listBackups(env), env.now()));
  if (!existsSync(file)) throw new UsageError(`there is no ${file}`);
  const description = describeBackup(file);
  await printText(`To restore: ${description}
At present: ${describePresent(env)}
The present one is kept beside it; what transcripts hold is read again.
`);
  if (!(await agrees("Go on?", yes))) return;
  const { before, reread } = await restoreBackup(env, file);
  await printText(`Restored; ${reread} turns were read again from transcripts${before ? `. Before: ${before}` : ""}\n`);
}

function listText(backups: readonly Backup[], now: number): string {
  if (backups.length === 0) return "There is no backup yet: `throughline db backup` makes one\n";
  const lines = backups.map(({ path, at, bytes }) => `${path}  ${daysText(now - at)}  ${sizeText(bytes)}`);
  return `${lines.join("\n")}\n\`throughline db restore FILE\` restores one\n`;
}

const daysText = (time: number): string => {
  const days = Math.floor(time / 86_400_000);
  return days < 1 ? "today" : days === 1 ? "1 day old" : `${days} days old`;
};

function describePresent(env: Env): string {
  const file = databaseFile(env);
  try {
    using db = openStoreReadonly(file);
    return db ? describe(db, file) : "nothing is stored";
  } catch (error) {
    if (mayBeDamage(error)) return `${file}, damaged`;
    throw error;
  }
}

function describeBackup(file: string): string {
  try {
    using db = openAsIs(file);
    if (readHealth(db).integrity.join() !== "ok") throw new UsageError(`${file} is damaged itself`);
    return describe(db, file);
  } catch (error) {
    if (error instanceof Error && error.name === "SQLiteError")
      throw new UsageError(`${file} is no backup: ${error.message}`);
    throw error;
  }
}

async function compact(env: Env): Promise<void> {
  using db = openForWriting(env);
  const before = statSync(databaseFile(env)).size;
  overwriteDeleted(db);
  if (!reclaim(db)) throw new Error("another process reads the database: close what reads it, and try again");
  await printText(
    `${databaseFile(env)}: ${sizeText(before)} before, ${sizeText(statSync(databaseFile(env)).size)} now\n`,
  );
}

async function repairStore(env: Env): Promise<void> {
  const done = await repair(env);
  if (!done) return printText("Nothing is damaged, or another process is repairing it.\n");
  const kept = done.damaged ? `. The damaged file: ${done.damaged}` : "";
  await printText(`${done.saved} turns were saved, ${done.reread} read again from transcripts${kept}\n`);
}

function describe(db: Database, file: string): string {
  const { turns, sessions, projects } = countAll(db);
  return `${file}: ${turns} turns of ${sessions} sessions in ${projects} projects`;
}
