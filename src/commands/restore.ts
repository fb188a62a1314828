import type { Database } from "bun:sqlite";
import { defineCommand } from "citty";
import { readConfig } from "../config.ts";
import { defuseStart } from "../context/defuse.ts";
import { splitText } from "../context/parts.ts";
import type { Env } from "../env.ts";
import { printable, printText } from "../output.ts";
import { tellThread } from "../restore.ts";
import { projectPathOf } from "../store/projects.ts";
import { getSession, type Session } from "../store/sessions.ts";
import { findNamed } from "./link.ts";
import { findScope, openForReading } from "./scope.ts";
import { UsageError } from "./usage.ts";

/** Claude Code passes on at most 30,000 characters of a command's block (29,000 passed, 31,000 became a 2 KB preview). */
const blockLength = 29_000;

/** `throughline restore [session]`: the thread behind this session, or that one, as text, in blocks that Claude Code lets through. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "restore",
      description:
        "Print what was said before this session, or in another one, as /throughline:restore puts it in the prompt",
    },
    args: {
      session: {
        type: "positional",
        required: false,
        description: "The session to tell, by its id or the beginning of it; absent: what this session continues",
      },
      block: { type: "string", description: "Only this block of 29,000 characters", valueHint: "n" },
    },
    async run({ args }) {
      const block = args.block === undefined ? undefined : Number(args.block);
      if (block !== undefined && !(Number.isInteger(block) && block >= 1))
        throw new UsageError(`--block takes a number from 1 on, not "${args.block}"`);
      using db = openForReading(env);
      const blocks = splitText(textOf(db, env, args.session || undefined), blockLength, defuseStart);
      await printText(`${block === undefined ? blocks.join("\n") : (blocks[block - 1] ?? "")}\n`);
    },
  });

function textOf(db: Database, env: Env, named: string | undefined): string {
  const told =
    named === undefined ? behind(db, env) : { session: findNamed(db, named), until: Number.MAX_SAFE_INTEGER };
  if (!told) {
    return "Throughline: this session continues no other one. `throughline sessions` lists those that can be named.";
  }
  const { language, restore_parts } = readConfig(env, projectPathOf(db, told.session.projectId));
  const options = { now: env.now(), until: told.until, parts: Math.max(1, restore_parts), language };
  const telling = tellThread(db, told.session, "hand", options);
  return telling
    ? printable(telling.parts.map(({ text }) => text).join("\n"))
    : `Throughline: session ${told.session.sessionId} has no turn.`;
}

function behind(db: Database, env: Env): { session: Session; until: number } | undefined {
  const own = findScope(db, env, undefined)?.session;
  if (!own || own.predecessorId === null) return undefined;
  return { session: getSession(db, own.predecessorId), until: own.inheritedUntil };
}
