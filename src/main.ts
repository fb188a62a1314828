import { dropRelativePath, type Env, processEnv } from "./env.ts";
import { reportFailure } from "./hooks/failure.ts";
import type { Hook } from "./hooks/hook.ts";
import permissionRequest from "./hooks/permission-request.ts";
import sessionEnd from "./hooks/session-end.ts";
import sessionStart from "./hooks/session-start.ts";
import stop from "./hooks/stop.ts";
import { loadLibc } from "./libc.ts";
import { complain, print } from "./output.ts";
import { yieldToOthers } from "./processes.ts";
import { statusline } from "./statusline/statusline.ts";
import { readStdin } from "./stdin.ts";

// Hooks are imported outright: a chunk of their own for each costs more than it saves. Commands are loaded when asked for.
const hooks: Readonly<Record<string, Hook>> = {
  "session-start": sessionStart,
  stop,
  "session-end": sessionEnd,
  "permission-request": permissionRequest,
};

/**
 * A hook never blocks Claude: exit code 0, or 1 with one line on stderr; never 2. It leaves its database open and ends at
 * once: what is committed is in the WAL, and an orderly end would fold that in with four fsyncs after every turn.
 */
async function runHook(env: Env, name: string, args: readonly string[]): Promise<void> {
  if (env.vars.THROUGHLINE_DISABLE === "1" || env.vars.THROUGHLINE_WORKER === "1") return;
  const libc = loadLibc();
  try {
    const hook = Object.hasOwn(hooks, name) ? hooks[name] : undefined;
    if (!hook) throw new Error(`there is no such hook; there are: ${Object.keys(hooks).join(", ")}`);
    const output = await hook(env, await readStdin(libc), args);
    if (output !== undefined) await print(output);
  } catch (error) {
    process.exitCode = await reportFailure(env, name, args, error);
    return;
  }
  libc?.exit(0);
}

/** Many times a minute, and as far as a person is concerned a part of the client: it is as fast as a hook, and never fails. */
async function runStatusline(env: Env): Promise<void> {
  const libc = loadLibc();
  const stdin = await readStdin(libc).catch(() => ""); // nothing on stdin says as little as no JSON
  await statusline(env, stdin);
  libc?.exit(0);
}

/** A command's exit code: 0, 2 for input it does not take, 130 where the person ended it, 1 for anything else. */
async function runCommand(env: Env, args: string[]): Promise<void> {
  dropRelativePath();
  try {
    const { run } = await import("./cli.ts");
    await run(env, args);
  } catch (error) {
    if (isClosedPipe(error)) return; // the reader, `head` for instance, has seen enough
    const { isDamage } = await import("./store/damage.ts");
    const todo = isDamage(error) ? "; the database is damaged: `throughline db repair` saves what it holds" : "";
    const message = Bun.stripANSI(error instanceof Error ? error.message : String(error)) + todo;
    const isUsage = error instanceof Error && ["UsageError", "CLIError", "ConfigError"].includes(error.name);
    await complain(`throughline: ${message}\n`);
    process.exitCode = isUsage ? 2 : error instanceof Error && error.name === "InterruptedError" ? 130 : 1;
  }
}

const isClosedPipe = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EPIPE";

/** What makes lines and backups, repairs, and indexes, started by hooks and commands and hidden from people: nobody sees what it prints, so trouble becomes a row. */
async function runWorker(env: Env, task: string | undefined): Promise<void> {
  dropRelativePath();
  yieldToOthers();
  try {
    if (task === "repair") await (await import("./backups/repair.ts")).repair(env);
    else if (task === "index") await (await import("./worker/work.ts")).indexTexts(env);
    else await (await import("./worker/work.ts")).work(env);
  } catch (error) {
    process.exitCode = await reportFailure(env, "worker", [], error);
  }
}

const args = process.argv.slice(2);
const env = processEnv();
const isChild = env.vars.THROUGHLINE_CHILD === "1"; // inside a run that makes lines: nothing of ours may start another
if (isChild) process.exitCode = 0;
else if (args[0] === "hook") await runHook(env, args[1] ?? "", args.slice(2));
else if (args[0] === "statusline" && args.length === 1) await runStatusline(env);
else if (args[0] === "worker") await runWorker(env, args[1]);
else await runCommand(env, args);
