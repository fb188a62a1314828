import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import sessionEnd from "../../src/hooks/session-end.ts";
import sessionStart from "../../src/hooks/session-start.ts";
import stop from "../../src/hooks/stop.ts";
import { promptsTold } from "../support/claude.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { Folder } from "./folder.ts";

/** What a client reports or writes, in the order in which it does. */
type Replayed = { at: string } & (
  | {
      /** The process that starts the hook, and what it puts into its environment. */
      process: number;
      vars: Record<string, string>;
      project?: "project" | "other";
      payload: {
        session_id: string;
        hook_event_name: "SessionStart" | "Stop" | "SessionEnd";
        source?: string;
        reason?: string;
      };
      /** The prompts that a start has to tell, and whether it has to say that it guessed. */
      told?: string[];
      guess?: boolean;
    }
  | { writes: string; prompt: string; answer: string }
  | { writes: string; copyOf: string }
  | { gone: number }
);

const folder = join(import.meta.dir, "../fixtures/events");
const replays = readdirSync(folder).map((file) => basename(file, ".json"));

test.each(replays)("%s", async (name) => {
  const { events } = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { events: Replayed[] };
  using home = tempHome();
  mkdirSync(join(home.folder, "other"));
  const transcripts = new Folder(home.folder);
  const gone = new Set<number>();
  for (const event of events) {
    const at = Date.parse(event.at);
    if ("gone" in event) gone.add(event.gone);
    else if ("copyOf" in event) transcripts.copy(event.copyOf, event.writes);
    else if ("writes" in event) transcripts.turn(event.writes, at, event.prompt, event.answer);
    else {
      const text = await report(home, event, at, gone);
      if (event.told === undefined) continue;
      const { session_id } = event.payload;
      expect({ session_id, told: promptsTold({ message: undefined, parts: [text] }) }).toEqual({
        session_id,
        told: event.told,
      });
      if (event.guess !== undefined)
        expect({ session_id, guess: text.includes("is a guess") }).toEqual({ session_id, guess: event.guess });
    }
  }
});

async function report(
  home: TempHome,
  event: Extract<Replayed, { process: number }>,
  at: number,
  gone: Set<number>,
): Promise<string> {
  const project = join(home.folder, event.project ?? "project");
  const env = home.env({
    vars: { CLAUDE_PROJECT_DIR: project, ...event.vars },
    cwd: project,
    parentPid: event.process,
    now: () => at,
    identify: (pid) => (gone.has(pid) ? undefined : `${pid}:boot:1`),
  });
  const { session_id, hook_event_name } = event.payload;
  const payload = { transcript_path: join(home.folder, `${session_id}.jsonl`), cwd: project, ...event.payload };
  const hook = { SessionStart: sessionStart, Stop: stop, SessionEnd: sessionEnd }[hook_event_name];
  const output = await hook(env, JSON.stringify(payload), ["--part", "1"]);
  return output ? (JSON.parse(output).hookSpecificOutput?.additionalContext ?? "") : "";
}
