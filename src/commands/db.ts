import type { Database } from "bun:sqlite";
import { copyFileSync, existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { listBackups, makeBackup, placeStore } from "../backups/files.ts";
import { findDamage, readAgain, repair } from "../backups/repair.ts";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { databaseFile } from "../paths.ts";
import { countUnreadable, readHealth } from "../store/health.ts";
import { openStore, sizeOfStore } from "../store/open.ts";
import { countOrphans, openAsIs, useWal } from "../store/upkeep.ts";
import { countAll } from "../store/windows.ts";
import { agrees } from "./ask.ts";
import { sizeText } from "./import-words.ts";
import { openForReading } from "./scope.ts";
import { UsageError } from "./usage.ts";

type Action = (env: Env, path: string | undefined, yes: boolean) => Promise<void>;

const actions: Readonly<Record<string, Action>> = { check, backup, restore, repair: repairStore };

/** `throughline db`: the database file itself. */
export default (env: Env) =>
  defineCommand({
    meta: { name: "db", description: "Check, back up, restore or repair the database" },
    args: {
      action: {
        type: "positional",
        required: true,
        description: "check, backup [FILE], restore [FILE] (absent: list what there is), or repair",
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
  const damage = findDamage(env);
  if (damage !== undefined)
    throw new Error(`the database is damaged: ${damage}; \`throughline db repair\` saves what it holds`);
  using db = openForReading(env);
  const { schema, journalMode, sqliteVersion } = readHealth(db);
  const broken = countOrphans(db);
  const unreadable = countUnreadable(db);
  await printText(
    `${describe(db, databaseFile(env))}\nSchema ${schema}, journal ${journalMode}, SQLite ${sqliteVersion}\n`,
  );
  if (broken > 0)
    throw new Error(`${broken} rows belong to rows that are gone; \`throughline db repair\` takes them out`);
  if (unreadable > 0)
    throw new Error(`${unreadable} packed texts cannot be unpacked; \`throughline db restore\` lists backups`);
  await printText("Whole: every page, every row, every packed text\n");
}

async function backup(env: Env, file: string | undefined): Promise<void> {
  using db = openForReading(env);
  const made = makeBackup(db, env, ...(file === undefined ? [] : [file]));
  using copy = openAsIs(made);
  await printText(`${describe(copy, made)}\n`);
}

async function restore(env: Env, file: string | undefined, yes: boolean): Promise<void> {
  const backups = listBackups(env);
  if (file === undefined) {
    const lines = backups.map(({ path, bytes }) => `${path}  ${sizeText(bytes)}`);
    return printText(`${lines.join("\n") || "There is no backup yet: `throughline db backup` makes one"}\n`);
  }
  if (!existsSync(file)) throw new UsageError(`there is no ${file}`);
  const description = describeBackup(file);
  await printText(
    `To restore: ${description}\nThe present database is kept beside it; what transcripts hold is read again.\n`,
  );
  if (!(await agrees("Go on?", yes))) return;
  const draft = `${databaseFile(env)}.${crypto.randomUUID()}.new`;
  sizeOfStore(databaseFile(env)); // nothing is written beside one that is not the person's own
  copyFileSync(file, draft);
  openStore(draft).close(); // of an older schema, it is brought up to date
  const aside = placeStore(env, draft, "before");
  using db = openStore(databaseFile(env));
  useWal(db);
  const reread = await readAgain(db, env);
  await printText(`Restored; ${reread} turns were read again from transcripts${aside ? `. Before: ${aside}` : ""}\n`);
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
