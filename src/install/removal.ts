import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Found, statOf } from "./found.ts";
import { pluginId } from "./settings.ts";
import type { Step } from "./steps.ts";

/** Something in the folder of the data. */
export interface Kept {
  path: string;
  bytes: number;
  /** Whether it is this program's; an earlier program's database is not. */
  isOurs: boolean;
}

/** What this program keeps there: the database and what belongs to it, the search index, settings, the last error, the worker's folders. */
const ours =
  /^(memory\.db|search\.db|config\.json|last-error|empty$|no-login$|backups$|repair\.lock$|import$|statusline\.json$|forgotten)/;

/** What a removal does and what it leaves. */
export interface Removal {
  steps: Step[];
  /** What has to be typed because no client can be asked to do it. */
  toType: string[][];
  /** What stays in the folder of the data. */
  kept: Kept[];
}

/** From what there is to what has to be removed. */
export function planUninstall(found: Found, kept: readonly Kept[], purge: boolean): Removal {
  const unregister = unregistering(found);
  const goes = purge ? kept.filter((one) => one.isOurs) : [];
  const stays = kept.filter((one) => !goes.includes(one));
  const root = found.places.root;
  return {
    steps: [
      ...(found.client ? unregister : []),
      ...removing(found),
      ...goes.map(({ path, bytes }): Step => ({ do: "remove", path, note: `${bytes.toLocaleString("en")} bytes` })),
      ...(purge && stays.length === 0 && statOf(root) ? [{ do: "remove", path: root } as const] : []),
    ],
    toType: found.client ? [] : unregister.map(({ command }) => command),
    kept: stays,
  };
}

function unregistering({ client, registration, cwd }: Found): Extract<Step, { do: "run" }>[] {
  const claude = client?.path ?? "claude";
  const uninstalls = registration.installations
    .filter(({ projectPath }) => projectPath === undefined || existsSync(projectPath))
    .map(({ scope, projectPath }) => ({
      do: "run" as const,
      command: [claude, "plugin", "uninstall", pluginId, ...(scope === "user" ? [] : ["--scope", scope])],
      cwd: projectPath ?? cwd,
    }));
  if (registration.marketplace === undefined) return uninstalls;
  return [...uninstalls, { do: "run", command: [claude, "plugin", "marketplace", "remove", "throughline"], cwd }];
}

function removing({ places, bareCommand, shellLink }: Found): Step[] {
  const folders = [places.plugin, dirname(places.binary)].filter((folder) => statOf(folder));
  const remove = (path: string): Step => ({ do: "remove", path });
  return [
    ...(bareCommand === "right" ? [remove(places.bareCommand), tidy(places.bareCommand)] : []),
    ...(shellLink === "right" ? [remove(places.shellLink)] : []),
    ...folders.map(remove),
  ];
}

const tidy = (file: string): Step => ({ do: "tidy", path: dirname(file) });

/** What lies in the folder of the data besides the program and the plugin, with sizes. */
export function listKept({ places }: Found): Kept[] {
  if (!existsSync(places.root)) return [];
  return readdirSync(places.root)
    .filter((name) => name !== "bin" && name !== "plugin")
    .sort()
    .map((name) => ({
      path: join(places.root, name),
      bytes: sizeOf(join(places.root, name)),
      isOurs: ours.test(name),
    }));
}

function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
