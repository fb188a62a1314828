import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../src/env.ts";

/** A temporary home with a project folder in it; gone when it goes out of scope. */
export interface TempHome {
  folder: string;
  project: string;
  env: (change?: Partial<Env>) => Env;
  [Symbol.dispose](): void;
}

/** Makes a temporary home. Its `env` has a clock that stands still, one client process (pid 100) and no variables of ours. */
export function tempHome(): TempHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "throughline-test-")));
  const project = join(folder, "project");
  mkdirSync(project);
  return {
    folder,
    project,
    env: (change = {}) => ({
      home: folder,
      cwd: project,
      vars: {
        CLAUDE_PROJECT_DIR: project,
        CLAUDE_PID: "100",
        CLAUDE_CODE_ENTRYPOINT: "cli",
        CLAUDE_CODE_SESSION_ATTENDED: "1",
      },
      pid: 1,
      parentPid: 100,
      now: () => Date.UTC(2026, 10, 30, 14, 0, 0),
      zoneOffset: 0,
      identify: (pid) => `${pid}:boot:1`,
      exists: () => false,
      startAgain: () => {},
      ...change,
    }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
