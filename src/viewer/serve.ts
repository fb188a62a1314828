import type { Database } from "bun:sqlite";
import type { Hono } from "hono";
import type { Env } from "../env.ts";
import { createAccess } from "./access.ts";
import { createApp } from "./app.ts";

/** A viewer that is up. */
export interface Serving {
  /** For the person, good for any of their browsers. */
  url: string;
  /** For the browser that is opened, good once. */
  onceUrl: string;
  /** When nobody asked for anything for so long. */
  idle: Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Serves the viewer to this machine alone.
 * @param port 0: any that is free
 * @param idleMs after so many milliseconds without a request it is over
 * @throws what says that the port is taken
 */
export function serve(env: Env, open: () => Database, port: number, idleMs: number): Serving {
  const { promise: idle, resolve } = Promise.withResolvers<void>();
  let app: Hono | undefined; // which has to know the port
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(resolve, idleMs);
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    development: false,
    reusePort: false, // which the line above switches on: a second viewer would take half of the first one's requests
    fetch: (request) => {
      wait();
      return app?.fetch(request) ?? new Response(null, { status: 503 });
    },
  });
  const access = createAccess(server.port as number);
  app = createApp(env, open, access);
  wait();
  const address = (token: string): string => `http://127.0.0.1:${access.port}/?token=${token}`;
  return {
    url: address(access.token),
    onceUrl: address(access.once as string),
    idle,
    stop: async () => {
      clearTimeout(timer);
      await server.stop(true);
    },
  };
}
