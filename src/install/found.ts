import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Env } from "../env.ts";
import { listAside } from "./aside.ts";
import { type Client, findClient, isProgram } from "./client.ts";
import { isOnPath, type Places, placesOf } from "./places.ts";
import { bareCommandText, ownMarketplace, type PluginFile, pluginFiles } from "./plugin.ts";
import { type Registration, readRegistration, readSettings, type Settings } from "./settings.ts";

/** What stands in a link's place. */
export type LinkState = "right" | "absent" | "other";

/** Everything that an installation depends on, as it is now. */
export interface Found {
  platform: NodeJS.Platform;
  places: Places;
  cwd: string;
  /** The program that runs, and its version. */
  self: string;
  version: string;
  binary: "same" | "absent" | "other";
  /** The version that is laid out now. */
  laidOut: string | undefined;
  isExecutable: boolean;
  /** The plugin's files as they must be, where they are not. */
  missing: PluginFile[];
  /** Files in the plugin's folder that no plugin of this version has, and programs that were moved out of the way. */
  stray: string[];
  pluginBinary: LinkState;
  shellLink: LinkState;
  isShellLinkOnPath: boolean;
  isBinaryOnPath: boolean;
  bareCommand: LinkState;
  client: Client | undefined;
  registration: Registration;
  settings: Settings[];
}

/** Looks at what there is, changing nothing. `client` names the client's program. */
export async function lookAround(env: Env, self: string, version: string, client: string | undefined): Promise<Found> {
  const places = placesOf(env);
  const files = [...pluginFiles(version), ownMarketplace()];
  return {
    platform: process.platform,
    places,
    cwd: env.cwd,
    self,
    version,
    binary: await compare(self, places.binary),
    laidOut: versionIn(join(places.plugin, ".claude-plugin/plugin.json")),
    isExecutable: isProgram(places.binary),
    missing: files.filter(([path, text]) => textOf(join(places.plugin, path)) !== text),
    stray: [...strayIn(places, files), ...movedAside(dirname(places.binary)), ...leftAside()],
    pluginBinary: linkState(places.pluginBinary, places.binary),
    shellLink: linkState(places.shellLink, places.binary),
    isShellLinkOnPath: isOnPath(env, dirname(places.shellLink)),
    isBinaryOnPath: isOnPath(env, dirname(places.binary)),
    bareCommand: textState(places.bareCommand),
    client: await findClient(env, client),
    registration: readRegistration(env),
    settings: readSettings(env, env.cwd),
  };
}

/** What stands at a path itself; a link is not followed. */
export const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
};

const isAbsent = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "");

async function compare(self: string, placed: string): Promise<Found["binary"]> {
  const [own, other] = [statSync(self), statOf(placed)];
  if (!other) return "absent";
  if (!other.isFile()) return "other";
  if (own.ino === other.ino && own.dev === other.dev) return "same";
  return own.size === other.size && (await hashOf(self)) === (await hashOf(placed)) ? "same" : "other";
}

async function hashOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return hash.digest("hex");
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isAbsent(error) || (error as NodeJS.ErrnoException).code === "EISDIR") return undefined;
    throw error;
  }
}

function versionIn(manifest: string): string | undefined {
  try {
    const { version } = JSON.parse(textOf(manifest) ?? "{}") as { version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function strayIn({ plugin, pluginBinary }: Places, files: readonly PluginFile[]): string[] {
  if (!statOf(plugin)?.isDirectory()) return [];
  const ours = new Set([pluginBinary, ...files.map(([path]) => join(plugin, path))]);
  return readdirSync(plugin, { recursive: true, withFileTypes: true })
    .filter((item) => !item.isDirectory())
    .map((item) => join(item.parentPath, item.name))
    .filter((path) => !ours.has(path))
    .sort();
}

// Drafts that a killed installation left, and what Windows would not let go of.
function movedAside(folder: string): string[] {
  if (!statOf(folder)?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => /^\.throughline-.*\.(new|old)(\.exe)?$/.test(name))
    .map((name) => join(folder, name));
}

// Where programs can be deleted while they run, nothing is moved.
const leftAside = (): string[] => (process.platform === "win32" ? listAside() : []);

function linkState(path: string, target: string): LinkState {
  const found = statOf(path);
  if (!found) return "absent";
  if (found.isSymbolicLink()) return resolve(dirname(path), readlinkSync(path)) === target ? "right" : "other";
  const aim = statOf(target);
  return aim && aim.ino === found.ino && aim.dev === found.dev ? "right" : "other";
}

function textState(file: string): LinkState {
  if (!statOf(file)) return "absent";
  return textOf(file) === bareCommandText ? "right" : "other";
}
