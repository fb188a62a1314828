import { join } from "node:path";
import type { Env } from "../../src/env.ts";
import sessionEnd from "../../src/hooks/session-end.ts";
import sessionStart from "../../src/hooks/session-start.ts";
import stop from "../../src/hooks/stop.ts";
import type { TempHome } from "../support/home.ts";
import type { Client, Kind, Stay, World } from "./model.ts";

/** What a client reports of a session that it serves. */
export type Event = { stay: Stay } & (
  | { kind: "start"; source: string }
  | { kind: "stop"; before: () => void }
  | { kind: "end"; reason: string }
);

const entrypoints: Record<Kind, string> = {
  terminal: "cli",
  old: "cli",
  editor: "claude-vscode",
  desktop: "claude-desktop",
  program: "sdk-cli",
};

/** Calls the hooks of an event as its client does; returns what the model was told. */
export async function callHooks(home: TempHome, world: World, event: Event, now: number): Promise<string> {
  const { session, client } = event.stay;
  const env = envOf(home, world, client, now);
  const name = { start: "SessionStart", stop: "Stop", end: "SessionEnd" }[event.kind];
  const base = { session_id: session.id, transcript_path: session.file, cwd: env.cwd, hook_event_name: name };
  if (event.kind === "start") return await callParts(env, JSON.stringify({ ...base, source: event.source }));
  if (event.kind === "stop") await stop(env, JSON.stringify(base), []);
  else await sessionEnd(env, JSON.stringify({ ...base, reason: event.reason }), []);
  return "";
}

// The eight parts one after the other, as far as there are any.
async function callParts(env: Env, input: string): Promise<string> {
  const texts: string[] = [];
  for (let part = 1, parts = 1; part <= parts; part += 1) {
    const output = await sessionStart(env, input, ["--part", `${part}`]);
    const text: string = output ? (JSON.parse(output).hookSpecificOutput?.additionalContext ?? "") : "";
    parts = Number(/part 1 of (\d)/.exec(text)?.[1] ?? parts);
    texts.push(text);
  }
  return texts.join("\n");
}

function envOf(home: TempHome, world: World, client: Client, now: number): Env {
  const project = client.project === 0 ? home.project : join(home.folder, "other");
  const named = client.kind === "terminal" || client.kind === "program";
  const vars: Record<string, string> = {
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_ENTRYPOINT: entrypoints[client.kind],
    ...(named ? { CLAUDE_PID: `${client.pid}` } : {}),
    ...(client.kind === "old" ? {} : { CLAUDE_CODE_SESSION_ATTENDED: client.kind === "program" ? "0" : "1" }),
  };
  const identify = (pid: number) => world.clients.find((other) => other.runs && other.pid === pid)?.name;
  const parentPid = named ? 1 : client.pid;
  return home.env({ vars, cwd: project, parentPid, now: () => now, identify, exists: () => false });
}
