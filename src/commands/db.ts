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
import { type Bounds, prune } from "../prune/prune.ts";
import { mayBeDamage } from "../store/damage.ts";
import { overwriteDeleted, reclaim } from "../store/erase.ts";
import { readHealth } from "../store/health.ts";
import { openStoreReadonly } from "../store/open.ts";
import { countOlder, usedBytes } from "../store/prune.ts";
import { openAsIs } from "../store/upkeep.ts";
import { countAll } from "../store/windows.ts";
import { agrees } from "./ask.ts";
import { sizeText } from "./import-words.ts";
import { openForReading, openForWriting } from "./scope.ts";
import { UsageError } from "./usage.ts";

interface Options {
  yes: boolean;
  dryRun: boolean;
  olderThan: string | undefined;
  layer: string | undefined;
  maxSize: string | undefined;
}

type Action = (env: Env, path: string | undefined, options: Options) => Promise<void>;

const actions: Readonly<Record<string, Action>> = {
  check,
  backup,
  restore,
  repair: repairStore,
  prune: pruneStore,
  compact,
};

/** `throughline db`: the database file itself. */
export default (env: Env) =>
  defineCommand({
    meta: { name: "db", description: "Check, back up, restore, repair or prune the database" },
    args: {
      action: {
        type: "positional",
        required: true,
        description: "check, backup [FILE], restore [FILE] (absent: list what there is), repair, prune, or compact",
      },
      file: { type: "positional", required: false, description: "Where the backup goes, or which one is restored" },
      "older-than": { type: "string", description: "With prune: turns of so many days ago", valueHint: "days" },
      layer: { type: "string", description: "With prune: L3, only what their tools said", valueHint: "layer" },
      "max-size": { type: "string", description: "With prune: the oldest go until the rest fits", valueHint: "size" },
      "dry-run": { type: "boolean", description: "With prune: only show what would go" },
      yes: { type: "boolean", alias: "y", description: "Say yes to every question" },
    },
    async run({ args }) {
      const action = Object.hasOwn(actions, args.action) ? actions[args.action] : undefined;
      if (!action) throw new UsageError(`db takes ${Object.keys(actions).join(", ")}, not "${args.action}"`);
      const options = {
        yes: args.yes === true,
        dryRun: args["dry-run"] === true,
        olderThan: args["older-than"],
        layer: args.layer,
        maxSize: args["max-size"],
      };
      const isOfPrune = options.dryRun || (options.olderThan ?? options.layer ?? options.maxSize) !== undefined;
      if (isOfPrune && args.action !== "prune")
        throw new UsageError("--older-than, --layer, --max-size and --dry-run are for `throughline db prune`");
      await action(env, args.file === undefined ? undefined : resolve(env.cwd, args.file), options);
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

async function restore(env: Env, file: string | undefined, { yes }: Options): Promise<void> {
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

const day = 86_400_000;

async function pruneStore(env: Env, _file: string | undefined, options: Options): Promise<void> {
  const bounds = boundsOf(options, env.now());
  using db = openForWriting(env);
  const before = statSync(databaseFile(env)).size;
  const older = bounds.before === undefined ? 0 : countOlder(db, bounds.before, bounds.layer);
  const excess = bounds.most === undefined ? 0 : Math.max(0, usedBytes(db) - bounds.most);
  if (older === 0 && excess === 0) return printText(`Nothing is that old or that much: ${sizeText(before)}\n`);
  const what = bounds.layer === "L3" ? "what the tools of" : "";
  const lines = [
    ...(older > 0
      ? [`To be deleted: ${what} ${older} turns${what && " said"}, from before ${dayOf(bounds.before ?? 0)}`]
      : []),
    ...(excess > 0 ? [`To be deleted: the oldest ${sizeText(excess)}, what tools said before what was said`] : []),
  ];
  await printText(`${lines.map((line) => line.replace(/ +/g, " ")).join("\n")}\n`);
  if (options.dryRun || !(await agrees("Delete this?", options.yes))) return;
  const pruned = prune(db, bounds);
  await printText(
    `${pruned} turns pruned: ${sizeText(before)} before, ${sizeText(statSync(databaseFile(env)).size)} now\n`,
  );
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function boundsOf({ olderThan, layer, maxSize }: Options, now: number): Bounds {
  if (olderThan === undefined && maxSize === undefined)
    throw new UsageError("db prune takes --older-than 90d, --max-size 2GB, or both");
  if (layer !== undefined && layer.toUpperCase() !== "L3")
    throw new UsageError(`--layer takes L3, what tools said, not "${layer}"`);
  if (layer !== undefined && olderThan === undefined) throw new UsageError("--layer goes with --older-than");
  const days = /^(\d{1,5})d?$/.exec(olderThan ?? "")?.[1];
  if (olderThan !== undefined && days === undefined)
    throw new UsageError(`--older-than takes days, as 90d, not "${olderThan}"`);
  const size = /^(\d{1,6}(?:\.\d+)?) ?(MB|GB)$/i.exec(maxSize ?? "");
  if (maxSize !== undefined && !size)
    throw new UsageError(`--max-size takes a size, as 500MB or 2GB, not "${maxSize}"`);
  return {
    layer: layer === undefined ? "all" : "L3",
    ...(days === undefined ? {} : { before: now - Number(days) * day }),
    ...(size ? { most: Number(size[1]) * (size[2]?.toUpperCase() === "GB" ? 1e9 : 1e6) } : {}),
  };
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
