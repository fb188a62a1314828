import { join, posix, win32 } from "node:path";
import type { Env } from "../env.ts";
import { clientFolder, dataFolder } from "../paths.ts";

/** Where everything that an installation makes lies. */
export interface Places {
  /** The folder of the data, in which the program and the plugin have folders of their own. */
  root: string;
  /** The program under its stable name. */
  binary: string;
  /** The plugin's folder, which is its marketplace as well: away from the data, which no client is ever told of. */
  plugin: string;
  /** What the hooks start and the model's shell finds: a link to `binary`. */
  pluginBinary: string;
  /** Where a person's shell may find the program: a link to `binary`. */
  shellLink: string;
  /** The client's own folder. */
  client: string;
  /** The command file under which the client knows `/sc-detail` without the plugin's name before it. */
  bareCommand: string;
}

/** The places for that person on that platform. */
export function placesOf(env: Env, platform: NodeJS.Platform = process.platform): Places {
  const name = programName(platform);
  const [root, client] = [dataFolder(env), clientFolder(env)];
  return {
    root,
    binary: join(root, "bin", name),
    plugin: join(root, "plugin"),
    pluginBinary: join(root, "plugin/bin", name),
    shellLink: join(env.home, ".local/bin", name),
    client,
    bareCommand: join(client, "commands/sc-detail.md"),
  };
}

/** What the program's file is called there. */
export const programName = (platform: NodeJS.Platform): string =>
  platform === "win32" ? "throughline.exe" : "throughline";

/** Whether a folder is on the PATH. */
export function isOnPath(env: Env, folder: string, platform: NodeJS.Platform = process.platform): boolean {
  const { resolve, delimiter } = platform === "win32" ? win32 : posix;
  return (env.vars.PATH ?? env.vars.Path ?? "")
    .split(delimiter)
    .some((entry) => entry !== "" && resolve(entry) === resolve(folder));
}
