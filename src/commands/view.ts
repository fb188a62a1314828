import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { openBrowser } from "../viewer/opener.ts";
import { type Serving, serve } from "../viewer/serve.ts";
import { openForReading } from "./scope.ts";
import { UsageError } from "./usage.ts";

const minute = 60_000;

/** `throughline view`: what is stored, as pages in the browser, until Ctrl-C or an hour without a look. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "view",
      description: "Look at what is stored in the browser: projects, threads, what Claude is told",
    },
    args: {
      port: { type: "string", description: "The port; any free one unless given", valueHint: "n" },
      idle: {
        type: "string",
        description: "After so many minutes without a look it ends",
        default: "60",
        valueHint: "minutes",
      },
      open: {
        type: "boolean",
        description: "Open the browser",
        negativeDescription: "Only print the address",
        default: true,
      },
    },
    async run({ args }) {
      const port = portOf(args.port);
      const idle = minutesOf(args.idle);
      openForReading(env).close(); // where nothing is stored, nothing is served
      const serving = start(env, port, idle);
      await printText(`${serving.url}\nCtrl-C ends it; so do ${args.idle} minutes without a look.\n`);
      if (args.open) openBrowser(serving.onceUrl, process.platform, env.vars);
      await Promise.race([serving.idle, interrupted()]);
      await serving.stop();
    },
  });

function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 1 || port > 65_535) throw new UsageError(`--port takes a number from 1 to 65535, not "${text}"`);
  return port;
}

function minutesOf(text: string): number {
  const minutes = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (minutes === 0) throw new UsageError(`--idle takes minutes, more than 0, not "${text}"`);
  return minutes * minute;
}

function start(env: Env, port: number, idle: number): Serving {
  try {
    return serve(env, () => openForReading(env), port, idle);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new UsageError(`port ${port} is taken; leave --port out and any free one is used`);
    if (code === "EACCES")
      throw new UsageError(`port ${port} is not for everybody; leave --port out or take one above 1023`);
    throw error;
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
