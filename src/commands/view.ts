import { defineCommand } from "citty";
import type { Env } from "../env.ts";
import { printText } from "../output.ts";
import { openBrowser } from "../viewer/opener.ts";
import { type Serving, serve } from "../viewer/serve.ts";
import { openForReading } from "./scope.ts";
import { UsageError } from "./usage.ts";

const hour = 3_600_000;

/** `throughline view`: what is stored, as pages in the browser, until Ctrl-C or an idle hour. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "view",
      description: "Look at what is stored in the browser: projects, threads, what Claude is told",
    },
    args: {
      port: { type: "string", description: "The port; any free one unless given", valueHint: "n" },
      open: {
        type: "boolean",
        description: "Open the browser",
        negativeDescription: "Only print the address",
        default: true,
      },
    },
    async run({ args }) {
      const port = portOf(args.port);
      openForReading(env).close(); // where nothing is stored, nothing is served
      const serving = start(env, port);
      await printText(`${serving.url}\nCtrl-C ends it; so does an hour without a look.\n`);
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

function start(env: Env, port: number): Serving {
  try {
    return serve(env, () => openForReading(env), port, hour);
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
