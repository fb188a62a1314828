import { join } from "node:path";
import { isOldClient, oldestClient } from "./client.ts";
import type { Found, LinkState } from "./found.ts";
import { bareCommandText } from "./plugin.ts";
import { pluginId, type Scope } from "./settings.ts";
import type { Step } from "./steps.ts";

/** What the person asked for. */
export interface Wishes {
  scope: Scope;
  /** Also `/sc-detail` without the plugin's name. */
  bareCommand: boolean;
  /** Also a link where the person's shell looks. */
  shellLink: boolean;
}

/** What will be done, in order, and what the person has to do. */
export interface Plan {
  steps: Step[];
  /** What has to be typed because no client can be asked to do it. */
  toType: string[][];
  /** Why nothing can be asked of the client. */
  trouble: string | undefined;
  /** What is left alone although it stands where something of ours would. */
  left: string[];
}

/** From what there is to what has to be done; nothing where all is in place. */
export function planInstall(found: Found, wishes: Wishes): Plan {
  const commands = registering(found, wishes.scope);
  const trouble = commands.length > 0 ? troubleWith(found) : undefined;
  return {
    steps: [
      ...placing(found),
      ...layingOut(found),
      ...linking(found, wishes),
      ...bareCommand(found, wishes),
      ...(trouble === undefined ? commands.map((command): Step => ({ do: "run", command, cwd: found.cwd })) : []),
    ],
    toType: trouble === undefined ? [] : commands,
    trouble,
    left: leftAlone(found, wishes),
  };
}

function placing({ self, places, binary, isExecutable, laidOut, version }: Found): Step[] {
  if (binary === "same") return isExecutable ? [] : [{ do: "mode", path: places.binary, mode: 0o755 }];
  const note =
    binary === "absent"
      ? "put here"
      : laidOut === version || !laidOut
        ? "replace "
        : `replace  ${laidOut} by ${version}:`;
  return [{ do: "place", from: self, to: places.binary, note }];
}

// Where a link is a hard one it stays with the program that is replaced.
const isStale = ({ platform, binary }: Found, link: LinkState): boolean =>
  link !== "right" || (platform === "win32" && binary !== "same");

function layingOut(found: Found): Step[] {
  const { places, missing, stray, pluginBinary } = found;
  const link: Step = { do: "link", path: places.pluginBinary, target: places.binary };
  return [
    ...missing.map(([path, text]): Step => ({ do: "write", path: join(places.plugin, path), text })),
    ...(isStale(found, pluginBinary) ? [link] : []),
    ...stray.map((path): Step => ({ do: "remove", path, note: "left over" })),
  ];
}

function linking(found: Found, wishes: Wishes): Step[] {
  const { places, shellLink, isShellLinkOnPath, isBinaryOnPath } = found;
  const isOurs = shellLink !== "other" && isStale(found, shellLink);
  const isWanted = wishes.shellLink && isShellLinkOnPath && !isBinaryOnPath && isOurs;
  return isWanted ? [{ do: "link", path: places.shellLink, target: places.binary }] : [];
}

function bareCommand({ places, bareCommand: state }: Found, wishes: Wishes): Step[] {
  const isWanted = wishes.bareCommand && state === "absent";
  return isWanted ? [{ do: "write", path: places.bareCommand, text: bareCommandText }] : [];
}

function registering({ client, places, registration, settings, version }: Found, scope: Scope): string[][] {
  const claude = client?.path ?? "claude";
  const own = registration.installations.filter((one) => one.scope === scope);
  const isEnabled = settings.some((file) => file.scope === scope && file.enabledPlugins?.[pluginId] === true);
  const isKnown = registration.marketplace === places.plugin;
  const isInstalled = isKnown && isEnabled && own.length > 0;
  const scoped = scope === "user" ? [] : ["--scope", scope];
  return [
    ...(isKnown ? [] : [[claude, "plugin", "marketplace", "add", places.plugin, ...scoped]]),
    ...(isInstalled ? [] : [[claude, "plugin", "install", pluginId, ...scoped]]),
    ...(isInstalled && own.some((one) => one.version !== version) ? [[claude, "plugin", "update", pluginId]] : []),
  ];
}

function troubleWith({ client }: Found): string | undefined {
  if (!client) return "Claude Code was not found: neither on the PATH nor in its usual places (--claude names it)";
  return isOldClient(client)
    ? `Claude Code ${client.version} is too old, its hooks need ${oldestClient} or newer: \`claude update\``
    : undefined;
}

function leftAlone({ places, shellLink, isShellLinkOnPath, bareCommand: state }: Found, wishes: Wishes): string[] {
  return [
    ...(wishes.shellLink && isShellLinkOnPath && shellLink === "other" ? [places.shellLink] : []),
    ...(wishes.bareCommand && state === "other" ? [places.bareCommand] : []),
  ];
}
