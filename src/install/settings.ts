import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Env } from "../env.ts";
import { clientFolder } from "../paths.ts";

/** The plugin as the client names it. */
export const pluginId = "throughline@throughline";
const marketplaceName = "throughline";

/** Where the client is told to use a plugin. */
export const scopes = ["user", "project", "local"] as const;
export type Scope = (typeof scopes)[number];

/** What a settings file says that concerns us; files are the person's, so whatever else they hold is passed over. */
const settingsShape = () =>
  z.object({
    enabledPlugins: z.optional(z.record(z.string(), z.unknown())),
    disableAllHooks: z.optional(z.unknown()),
    allowManagedHooksOnly: z.optional(z.unknown()),
    strictKnownMarketplaces: z.optional(z.unknown()),
    hooks: z.optional(z.unknown()),
  });

export interface Settings extends z.infer<ReturnType<typeof settingsShape>> {
  scope: Scope | "managed";
  file: string;
  /** Why the file could not be read. */
  trouble?: string;
}

/** The settings files that hold for a folder, weakest first. */
export function readSettings(env: Env, folder: string): Settings[] {
  const files: [Settings["scope"], string][] = [
    ["user", join(clientFolder(env), "settings.json")],
    ["project", join(folder, ".claude/settings.json")],
    ["local", join(folder, ".claude/settings.local.json")],
    ...managedFiles(env).map((file): ["managed", string] => ["managed", file]),
  ];
  return files.filter(([, file]) => existsSync(file)).map(([scope, file]) => ({ scope, file, ...read(file) }));
}

function read(file: string): Omit<Settings, "scope" | "file"> {
  try {
    return z.parse(settingsShape(), JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    return { trouble: error instanceof SyntaxError ? error.message : "it is not what the client writes" };
  }
}

function managedFiles(env: Env): string[] {
  const folder =
    process.platform === "darwin"
      ? "/Library/Application Support/ClaudeCode"
      : process.platform === "win32"
        ? join(env.vars.ProgramFiles ?? "C:\\Program Files", "ClaudeCode")
        : "/etc/claude-code";
  const more = join(folder, "managed-settings.d");
  const parts = existsSync(more) ? readdirSync(more).filter((name) => name.endsWith(".json")) : [];
  return [join(folder, "managed-settings.json"), ...parts.sort().map((name) => join(more, name))];
}

const installation = z.object({
  scope: z.string(),
  projectPath: z.optional(z.string()),
  version: z.optional(z.string()),
});

/** One installation of the plugin in the client's list. */
export type Installation = z.infer<typeof installation>;

/** What the client has noted down of the plugin and its marketplace. */
export interface Registration {
  /** The folder that the marketplace of our name is at. */
  marketplace: string | undefined;
  installations: Installation[];
}

/** Reads what the client has noted down; what cannot be read counts as not there, so that it is registered again. */
export function readRegistration(env: Env): Registration {
  const plugins = join(clientFolder(env), "plugins");
  const known = readJson(join(plugins, "known_marketplaces.json"), z.record(z.string(), z.unknown()));
  const own = z.safeParse(z.object({ source: z.object({ path: z.string() }) }), known?.[marketplaceName]);
  const listed = readJson(
    join(plugins, "installed_plugins.json"),
    z.object({ plugins: z.record(z.string(), z.unknown()) }),
  );
  const installations = z.safeParse(z.array(installation), listed?.plugins[pluginId]);
  return { marketplace: own.data?.source.path, installations: installations.data ?? [] };
}

function readJson<Shape extends z.ZodMiniType>(file: string, shape: Shape): z.infer<Shape> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return z.safeParse(shape, JSON.parse(readFileSync(file, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
