import type { TempHome } from "../support/home.ts";
import { binary, type Ran, varsOf } from "../support/ran.ts";

/** Milliseconds within which anything of ours ends, on a busy machine; a wait without end is what it stands for. */
export const patience = 20_000;

/** A run of the built program; what is given comes on top of a clean environment. Killed, and said so, where it does not end. */
export async function runProgram(
  home: TempHome,
  args: readonly string[],
  { stdin = "", cwd = home.project, vars = {}, command = [binary] as readonly string[] } = {},
): Promise<Ran> {
  const child = Bun.spawn([...command, ...args], {
    cwd,
    env: {
      ...varsOf(home),
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CLAUDE_CODE_SESSION_ATTENDED: "1",
      CLAUDE_PROJECT_DIR: cwd,
      ...vars,
    },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: patience,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (child.signalCode === "SIGKILL") throw new Error(`throughline ${args.join(" ")} did not end in ${patience} ms`);
  return { stdout, stderr, code };
}

/** The four hooks as the client calls them, by their event. */
export const hooks = {
  SessionStart: ["hook", "session-start", "--part", "1"],
  Stop: ["hook", "stop"],
  SessionEnd: ["hook", "session-end"],
  PermissionRequest: ["hook", "permission-request"],
} as const;

export type EventName = keyof typeof hooks;

/** An event's payload. */
export const payload = (event: EventName, fields: Record<string, unknown> = {}): string =>
  JSON.stringify({ session_id: "s1", hook_event_name: event, source: "startup", reason: "clear", ...fields });

/** Reports an event by the built program. */
export const report = (home: TempHome, event: EventName, fields: Record<string, unknown>, vars = {}): Promise<Ran> =>
  runProgram(home, hooks[event], { stdin: payload(event, fields), vars });
