import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Env } from "../env.ts";
import { clientProjects, dataFolder } from "../paths.ts";
import { type Beginning, readBeginning } from "../transcript/beginning.ts";
import { dropAbandoned, unpackArchive } from "./archive.ts";
import { isBeginningOf } from "./copies.ts";
import { count, emptyPlan, ImportError, type Plan, type TranscriptFile } from "./plan.ts";
import { projectOf, type SettingsOf } from "./project.ts";
import { sniffFile } from "./sniff.ts";

/** Milliseconds after which nobody goes on with an import that was ended. */
const abandonedTime = 86_400_000;

/** Where archives are unpacked. */
const unpackFolder = (env: Env): string => join(dataFolder(env), "import");

/** The earlier program's database, where it is by itself. */
const earlierDatabase = (env: Env): string => join(dataFolder(env), "throughline.db");

/**
 * What an import of the paths would read; without paths all transcripts of the client, and the earlier program's
 * database where there is one. Archives are unpacked.
 * @throws ImportError when a path is nothing that can be imported
 */
export async function planImport(env: Env, settings: SettingsOf, paths: readonly string[]): Promise<Plan> {
  const plan = emptyPlan();
  dropAbandoned(unpackFolder(env), env.now() - abandonedTime);
  if (paths.length === 0) {
    addFolder(plan, settings, clientProjects(env), false);
    if (existsSync(earlierDatabase(env))) await addPath(plan, env, settings, earlierDatabase(env));
  }
  for (const path of paths) await addPath(plan, env, settings, path);
  return { ...plan, transcripts: withoutCopies(inOrder(plan.transcripts), plan.leftOut) };
}

function withoutCopies(files: readonly TranscriptFile[], leftOut: Plan["leftOut"]): TranscriptFile[] {
  const bySession = Map.groupBy(files, ({ sessionId }) => sessionId);
  return files.filter((file) => {
    const others = bySession.get(file.sessionId) as TranscriptFile[];
    const isCopy = others.slice(others.indexOf(file) + 1).some((other) => isBeginningOf(file.path, other.path));
    if (isCopy) count(leftOut, "a copy of another");
    return !isCopy;
  });
}

async function addPath(plan: Plan, env: Env, settings: SettingsOf, path: string): Promise<void> {
  if (path === "-") return void plan.exports.push({ path, size: 0 });
  const file = resolve(env.cwd, path);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new ImportError(`there is no ${path}`);
  if (stats.isDirectory()) return addFolder(plan, settings, file, false);
  if (!stats.isFile()) throw new ImportError(`${path} is neither a file nor a folder; - reads an export from stdin`);
  const kind = sniffFile(file);
  if (kind === "database") plan.databases.push({ path: file, size: stats.size });
  else if (kind === "zip" || kind === "tar") {
    const folder = await unpackArchive(file, kind, unpackFolder(env), env.vars);
    plan.unpacked.push(folder);
    addFolder(plan, settings, folder, true);
  } else addFile(plan, settings, file, false);
}

// Links to folders are not followed: they may lead in circles.
function addFolder(plan: Plan, settings: SettingsOf, folder: string, temporary: boolean): void {
  if (!existsSync(folder)) return;
  for (const entry of entriesOf(plan, folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(plan, settings, path, temporary);
    else if (entry.name.endsWith(".jsonl") && statSync(path, { throwIfNoEntry: false })?.isFile())
      addFile(plan, settings, path, temporary);
  }
}

function entriesOf(plan: Plan, folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    count(plan.leftOut, "in a folder that cannot be read");
    return [];
  }
}

const isUnreadable = (error: unknown): boolean =>
  ["EACCES", "EPERM", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");

// One that cannot be read, or is gone by now, is no reason to leave out the others.
function addFile(plan: Plan, settings: SettingsOf, path: string, temporary: boolean): void {
  try {
    addReadable(plan, settings, path, temporary);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    count(plan.leftOut, "cannot be read");
  }
}

function addReadable(plan: Plan, settings: SettingsOf, path: string, temporary: boolean): void {
  if (isOfAgent(path)) return count(plan.leftOut, "of a sub-agent");
  const { size, mtimeMs } = statSync(path);
  if (size === 0) return count(plan.leftOut, "empty");
  if (sniffFile(path) === "export") return void plan.exports.push({ path, size });
  const beginning = readBeginning(path);
  const reason = beginning && reasonAgainst(beginning, settings);
  if (!beginning || reason !== undefined) return count(plan.leftOut, reason ?? "gone");
  const entrypoint = beginning.entrypoint;
  plan.transcripts.push({
    path,
    size,
    modifiedAt: mtimeMs,
    sessionId: sessionOf(path, beginning),
    project: projectOf(beginning.cwd as string),
    startedAt: beginning.startedAt ?? Math.round(mtimeMs),
    entrypoint,
    headless: isHeadless(beginning),
    cleared: beginning.cleared,
    temporary,
  });
}

const isOfAgent = (path: string): boolean =>
  basename(path).startsWith("agent-") || basename(dirname(path)) === "subagents";

const isHeadless = ({ entrypoint = "" }: Beginning): boolean => entrypoint.startsWith("sdk-");

function reasonAgainst(beginning: Beginning, settings: SettingsOf): string | undefined {
  if (beginning.sidechain) return "of a sub-agent";
  if (beginning.sessionId === undefined || beginning.cwd === undefined) return "no conversation in it";
  const { capture, headless } = settings(projectOf(beginning.cwd));
  if (capture === "off") return "of a project that is switched off";
  return isHeadless(beginning) && headless === "off" ? "nobody attended it (headless)" : undefined;
}

// The client names the file after the session, and events name it so; its lines may still name the one it was copied from.
const sessionOf = (path: string, { sessionId }: Beginning): string => {
  const name = basename(path, ".jsonl");
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name) ? name : (sessionId as string);
};

// As the hooks would have seen them: by the start of the session, an original before its copies; of several files of one
// session the longest last.
const inOrder = (files: readonly TranscriptFile[]): TranscriptFile[] =>
  files.toSorted(
    (a, b) =>
      a.startedAt - b.startedAt || compare(a.sessionId, b.sessionId) || a.size - b.size || compare(a.path, b.path),
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
