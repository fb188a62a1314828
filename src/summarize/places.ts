import { posix, win32 } from "node:path";

/** What is known of where the person's client may be. */
export interface Whereabouts {
  platform: NodeJS.Platform;
  home: string;
  /** `PATH` as the environment has it. */
  path: string;
  /** `APPDATA`, on Windows. */
  appData?: string | undefined;
}

/** Where `claude` may be, in the order in which to look: PATH, then the usual places of its installers. */
export function placesOf({ platform, home, path, appData }: Whereabouts): string[] {
  const { join, isAbsolute, delimiter } = platform === "win32" ? win32 : posix;
  const names = platform === "win32" ? ["claude.exe", "claude.cmd"] : ["claude"];
  const folders = [
    // A folder relative to wherever one is would be the project's say.
    ...path.split(delimiter).filter((folder) => folder !== "" && isAbsolute(folder)),
    join(home, ".local/bin"),
    join(home, ".claude/local"),
    join(home, ".claude/local/node_modules/.bin"),
    ...(platform === "win32" ? [join(appData ?? join(home, "AppData/Roaming"), "npm")] : unixFolders(home, join)),
  ];
  return [...new Set(folders.flatMap((folder) => names.map((name) => join(folder, name))))];
}

const unixFolders = (home: string, join: (...parts: string[]) => string): string[] => [
  "/usr/local/bin",
  "/opt/homebrew/bin",
  join(home, ".npm-global/bin"),
  join(home, ".bun/bin"),
  join(home, ".volta/bin"),
];

/** Whether a running program is the client: an own program of that name or folder, or node with its script. */
export function clientOfProgram(program: readonly string[]): string[] | undefined {
  const [exe = "", script = ""] = program;
  const isClaude = (path: string) => /(?:^|[/\\])\.?claude(?:[-./\\]|$)/i.test(path);
  if (/(?:^|[/\\])(?:node|bun)(?:\.exe)?$/i.test(exe)) return isClaude(script) ? [exe, script] : undefined;
  return isClaude(exe) ? [exe] : undefined;
}
