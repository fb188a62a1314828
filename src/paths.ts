import { join } from "node:path";
import type { Env } from "./env.ts";

/** Everything the product stores is in this one folder: `THROUGHLINE_HOME`, else `~/.throughline`. */
export const dataFolder = (env: Env): string => env.vars.THROUGHLINE_HOME || join(env.home, ".throughline");

export const databaseFile = (env: Env): string => join(dataFolder(env), "memory.db");

/** What `search` looks up first. All of it is told by the database: it can be deleted at any time. */
export const searchIndexFile = (env: Env): string => join(dataFolder(env), "search.db");

export const configFile = (env: Env): string => join(dataFolder(env), "config.json");

/** Where a failure is written when the database itself cannot be opened. */
export const lastErrorFile = (env: Env): string => join(dataFolder(env), "last-error");

/** An empty folder that is nobody's project, for the runs that make lines. */
export const emptyFolder = (env: Env): string => join(dataFolder(env), "empty");

/** A folder of the client's settings that holds no login. */
export const folderWithoutLogin = (env: Env): string => join(dataFolder(env), "no-login");

/** Where the client keeps its settings and, on some systems, its login. */
export const clientFolder = (env: Env): string => env.vars.CLAUDE_CONFIG_DIR || join(env.home, ".claude");

/** The client's settings files that may hold a status line in a project's folder, the one that wins first. */
export const clientSettings = (env: Env, folder: string | undefined): string[] => [
  ...(folder === undefined ? [] : [join(folder, ".claude/settings.local.json"), join(folder, ".claude/settings.json")]),
  join(clientFolder(env), "settings.json"),
];

/** What the client's settings said of a status line before ours. */
export const statusLineFile = (env: Env): string => join(dataFolder(env), "statusline.json");

/** Where the client keeps its transcripts: a folder for each project, in it a file for each session. */
export const clientProjects = (env: Env): string => join(clientFolder(env), "projects");
