import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const src = join(import.meta.dir, "../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
  .sort();

/** Who may import whom, by folder or root file. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  types: [],
  processes: [],
  output: [],
  ownership: [],
  libc: [],
  stdin: ["libc"],
  project: [],
  env: ["processes"],
  paths: ["env"],
  faults: ["env"],
  settings: ["mask"],
  mask: ["mask", "transcript"],
  config: ["env", "paths", "project", "settings"],
  transcript: ["types", "transcript"],
  store: ["ownership", "types", "store"],
  context: ["types", "context"],
  ingest: ["mask", "store", "transcript", "types"],
  summaries: ["config", "context", "env", "processes", "store", "worker"],
  summarize: ["summarize", "types"],
  search: ["search"],
  index: ["index", "search", "store"],
  backups: ["backups", "config", "env", "forget", "imports", "paths", "store"],
  worker: [
    "backups",
    "config",
    "context",
    "env",
    "index",
    "mask",
    "paths",
    "processes",
    "prune",
    "restore",
    "store",
    "summaries",
    "summarize",
    "types",
    "worker",
  ],
  pages: ["context", "output", "pages", "types"],
  "page-turn": ["mask", "pages", "store", "types"],
  restore: ["config", "context", "env", "processes", "store", "types"],
  forget: ["backups", "env", "paths", "store", "transcript"],
  live: ["config", "env", "kept", "live", "paths", "statusline", "store"],
  prune: ["config", "env", "paths", "store"],
  kept: ["config", "context", "restore", "store", "types"],
  statusline: ["config", "env", "kept", "output", "paths", "statusline", "store", "summaries"],
  imports: ["config", "env", "imports", "index", "ingest", "mask", "paths", "project", "store", "transcript", "types"],
  hooks: [
    "backups",
    "config",
    "context",
    "env",
    "faults",
    "hooks",
    "ingest",
    "mask",
    "output",
    "ownership",
    "paths",
    "processes",
    "project",
    "restore",
    "store",
    "summaries",
    "transcript",
    "types",
  ],
  install: ["config", "env", "install", "ownership", "paths", "statusline", "summarize"],
  doctor: ["backups", "config", "doctor", "env", "install", "paths", "project", "store", "worker"],
  viewer: [
    "config",
    "context",
    "env",
    "index",
    "mask",
    "output",
    "page-turn",
    "pages",
    "paths",
    "processes",
    "restore",
    "search",
    "store",
    "types",
    "viewer",
  ],
  commands: [
    "backups",
    "commands",
    "config",
    "context",
    "doctor",
    "env",
    "forget",
    "imports",
    "index",
    "ingest",
    "install",
    "libc",
    "live",
    "mask",
    "output",
    "ownership",
    "page-turn",
    "pages",
    "paths",
    "processes",
    "project",
    "prune",
    "restore",
    "search",
    "settings",
    "statusline",
    "stdin",
    "store",
    "summarize",
    "transcript",
    "types",
    "viewer",
    "worker",
  ],
  cli: ["commands", "env", "output"],
  main: ["backups", "cli", "env", "hooks", "libc", "output", "processes", "statusline", "stdin", "store", "worker"],
};

/** What is banned, where it is fine all the same, and why. */
const bans: readonly { what: RegExp; except: RegExp; why: string }[] = [
  {
    what: /process\.env|homedir\(|Date\.now|new Date\(\)/,
    except: /^(env|processes)\.ts$/,
    why: "the world is handed in as Env",
  },
  {
    what: /process\.(stdin|stdout|stderr)/,
    except: /^commands\//,
    why: "touching a stream costs 10 ms; Bun.stdin and output.ts do not",
  },
  { what: /process\.exit\b|process\.exitCode/, except: /^main\.ts$/, why: "one file decides the exit code" },
  {
    what: /from "(citty|consola|zod(\/mini)?)"/,
    except: /^(cli\.ts|(commands|install|live)\/|imports\/export-lines\.ts)/,
    why: "the hook path loads no command or schema library",
  },
  { what: /\.(query|prepare)[(<]/, except: /^store\//, why: "SQL lives in store/" },
  {
    what: /import \{[^}]*\bprint\b[^}]*\} from "\.\.\/output/,
    except: /^(hooks\/|statusline\/|commands\/completions\.ts)/,
    why: "what commands print may be looked at by a person: printText and printJson keep control characters back",
  },
  { what: /console\./, except: /^$/, why: "data on stdout through output.ts, one line on stderr" },
];

const roomOf = (file: string): string =>
  (file.includes("/") ? dirname(file).split("/")[0] : file.replace(/\.ts$/, "")) as string;

const importsOf = (file: string): string[] =>
  new Bun.Transpiler({ loader: "ts" })
    .scanImports(readFileSync(join(src, file), "utf8"))
    .map(({ path }) => path)
    .filter((path) => path.startsWith(".") && path.endsWith(".ts"))
    .map((path) => relative(src, join(src, dirname(file), path)));

test.each(files)("%s imports only what its room may", (file) => {
  const room = roomOf(file);
  expect(Object.keys(allowed)).toContain(room);
  const strangers = importsOf(file).filter((target) => !allowed[room]?.includes(roomOf(target)));
  expect(strangers).toEqual([]);
});

test("there is no import cycle", () => {
  const graph = new Map(files.map((file) => [file, importsOf(file)]));
  const onPath = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path, file];
    for (const next of graph.get(file) ?? []) {
      const cycle = onPath(next, [...path, file]);
      if (cycle) return cycle;
    }
    return undefined;
  };
  const cycles = files.map((file) => onPath(file, [])).filter((cycle) => cycle !== undefined);
  expect(cycles).toEqual([]);
});

test.each(bans.map((ban) => [ban.why, ban] as const))("%s", (_why, { what, except }) => {
  const offenders = files.filter((file) => !except.test(file) && what.test(readFileSync(join(src, file), "utf8")));
  expect(offenders).toEqual([]);
});

test("the hook path reaches neither citty nor consola nor zod nor a page", () => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    importsOf(file).forEach(visit);
  };
  for (const file of files.filter((name) => name.startsWith("hooks/"))) visit(file);
  const heavy = [...reached].filter((file) =>
    /from "(citty|consola|zod(\/mini)?|markdown-it|hono(\/\w+)?)"/.test(readFileSync(join(src, file), "utf8")),
  );
  expect(heavy).toEqual([]);
});

test("importing a module does nothing", async () => {
  for (const file of files.filter((name) => name !== "main.ts")) await import(join(src, file));
});

test("a file is one thing: none over 250 lines", () => {
  expect(files.filter((file) => readFileSync(join(src, file), "utf8").split("\n").length > 250)).toEqual([]);
});
