import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cache } from "./repo.ts";

/** A person's home with one project in it, gone when disposed. */
export interface Home extends Disposable {
  folder: string;
  project: string;
  /** The whole environment of a program run for that person: nothing of the machine's own gets through. */
  environment: Record<string, string>;
}

// The client remembers the end of a key that the person approved.
const key = "sk-ant-e2e-dummy-key-00000000";

/**
 * Makes a home in which the client talks to `apiUrl` alone, asks nothing at its start and runs unasked what `allow`
 * names; `settings` are the person's other ones, `name` is in the names of the home and the project.
 */
export function makeHome(apiUrl: string, allow: string[], settings: object = {}, name = ""): Home {
  mkdirSync(join(cache, "homes"), { recursive: true });
  // The client compares real paths when it looks up whether a folder is trusted.
  const folder = realpathSync(mkdtempSync(join(cache, "homes", `h-${name}`)));
  const project = join(folder, `project${name}`);
  mkdirSync(project);
  mkdirSync(join(folder, ".claude"));
  mkdirSync(join(folder, "tmp"));
  const init = Bun.spawnSync(["git", "init", "--quiet", project], { env: { PATH: "/usr/local/bin:/usr/bin:/bin" } });
  if (!init.success) throw new Error(`git init: ${init.stderr}`);
  writeJson(join(folder, ".claude.json"), {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  });
  // Without disableAutoMode the first start offers to leave the default mode.
  const permissions = { defaultMode: "default", disableAutoMode: "disable", allow };
  writeJson(join(folder, ".claude/settings.json"), { ...settings, permissions });
  const environment = environmentIn(folder, apiUrl);
  return {
    folder,
    project,
    environment,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function environmentIn(folder: string, apiUrl: string): Record<string, string> {
  return {
    HOME: folder,
    PATH: "/usr/local/bin:/usr/bin:/bin",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    TZ: "UTC",
    IS_SANDBOX: "1",
    // What the client puts aside for its tools goes with the home.
    CLAUDE_CODE_TMPDIR: join(folder, "tmp"),
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: apiUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  };
}

/** The transcripts that the client keeps in that home, by session id. */
export function transcriptsIn(home: Home): Map<string, string> {
  const projects = join(home.folder, ".claude/projects");
  const files = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".jsonl"));
  return new Map(files.map((file) => [basename(file, ".jsonl"), join(projects, file)]));
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
