import type { CommandDef } from "citty";
import type { Commands } from "./commands.ts";

/** What a person needs first, and the rest by what it is for. A command that is in no group stands at the end. */
const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["First", ["install", "status", "detail", "preview", "doctor", "uninstall"]],
  ["Look things up", ["search", "sessions", "view"]],
  ["Decide what the next session knows", ["link", "unlink", "fresh", "restore", "off", "on", "forget"]],
  ["Settings and data", ["config", "import", "export", "summarize", "db", "statusline"]],
  ["More", ["completions", "demo"]],
];

/** How each command is typed. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  install: [
    "throughline install",
    "throughline install --dry-run",
    "throughline install --statusline",
    "throughline install --scope project --yes",
  ],
  status: ["throughline status", "throughline status --all --watch"],
  detail: ["throughline detail 14:23:05", "throughline detail 14:23-14:30", "throughline detail 2026-11-29 13:02"],
  preview: ["throughline preview"],
  doctor: ["throughline doctor", "throughline doctor --fix"],
  uninstall: ["throughline uninstall", "throughline uninstall --purge"],
  search: [
    "throughline search 認証 timeout",
    'throughline search "exit code 137" --tool Bash --since 7d',
    "throughline search --file src/auth.ts token -test",
  ],
  sessions: ["throughline sessions", "throughline sessions --limit 200"],
  view: ["throughline view", "throughline view --no-open --port 8123"],
  link: ["throughline link", "throughline link 3f2a9c1e"],
  unlink: ["throughline unlink"],
  fresh: ["throughline fresh"],
  restore: ["throughline restore", "throughline restore 3f2a9c1e"],
  config: ["throughline config", "throughline config set language ja", "throughline config unset language"],
  off: ["throughline off"],
  on: ["throughline on"],
  summarize: ["throughline summarize", "throughline summarize --dry-run"],
  forget: [
    "throughline forget 14:23",
    "throughline forget --match passphrase",
    "throughline forget --session 3f2a9c1e --dry-run",
  ],
  import: [
    "throughline import",
    "throughline import --dry-run kept-projects.tar.gz",
    "throughline export --all | ssh other throughline import -",
  ],
  export: ["throughline export > project.jsonl", "throughline export --all | gzip > all.jsonl.gz"],
  db: [
    "throughline db check",
    "throughline db backup",
    "throughline db restore",
    "throughline db repair",
    "throughline db prune --older-than 90d --layer L3",
    "throughline db compact",
  ],
  statusline: ["throughline statusline < session.json", "throughline install --statusline"],
  completions: [
    "throughline completions bash >> ~/.bashrc",
    "throughline completions zsh > ~/.zfunc/_throughline",
    "throughline completions fish > ~/.config/fish/completions/throughline.fish",
  ],
  demo: ["throughline demo"],
};

/** The help of the program as a whole. */
export async function programHelp(version: string, commands: Commands): Promise<string> {
  const named = new Set(groups.flatMap(([, names]) => names));
  const others = Object.keys(commands).filter((name) => !named.has(name));
  const sections: string[] = [];
  for (const [title, names] of [...groups, ["Others", others] as const]) {
    const there = names.filter((name) => Object.hasOwn(commands, name));
    const lines = await Promise.all(there.map((name) => commandLines(name, commands)));
    if (lines.length > 0) sections.push(`${title}\n${lines.join("\n")}`);
  }
  const head = `Throughline ${version} keeps the thread of your Claude Code conversations across /clear and new sessions.`;
  return `${head}\n\n${sections.join("\n\n")}\n\nthroughline COMMAND --help tells all that a command takes.\n`;
}

async function commandLines(name: string, commands: Commands): Promise<string> {
  const command = (await commands[name]?.()) as CommandDef;
  const example = examples[name]?.[0];
  const shown = example === undefined || example === `throughline ${name}` ? [] : [`${" ".repeat(15)}${example}`];
  return [`  ${name.padEnd(13)}${await descriptionOf(command)}`, ...shown].join("\n");
}

/** What a command says of itself. */
export async function descriptionOf({ meta }: CommandDef): Promise<string> {
  const said = await (typeof meta === "function" ? meta() : meta);
  return said?.description ?? "";
}

/** The examples of a command, to stand below its usage. */
export const examplesText = (name: string): string =>
  (examples[name] ?? []).length === 0 ? "" : `EXAMPLES\n\n${examples[name]?.map((line) => `  ${line}`).join("\n")}\n`;
