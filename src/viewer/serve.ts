import type { Database } from "bun:sqlite";
import type { Env } from "../env.ts";
import { type Access, createAccess } from "./access.ts";
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
  let timer = setTimeout(resolve, idleMs);
  let handle: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    development: false,
    fetch: (request) => {
      clearTimeout(timer);
      timer = setTimeout(resolve, idleMs);
      return handle(request);
    },
  });
  const access: Access = createAccess(server.port as number);
  handle = createApp(env, open, access).fetch;
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
