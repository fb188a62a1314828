import type { Database } from "bun:sqlite";
import { defineCommand } from "citty";
import { head } from "../context/clip.ts";
import { dateOf, timeOf } from "../context/clock.ts";
import { withCommas } from "../context/numbers.ts";
import type { Env } from "../env.ts";
import { printJson, printText } from "../output.ts";
import { pidOf } from "../processes.ts";
import { type Branch, growTree, readOverview, type SessionOverview } from "../store/overview.ts";
import { clientsOf } from "../store/sessions.ts";
import { findScope, openForReading } from "./scope.ts";
import { UsageError } from "./usage.ts";

/** A session in the tree, with whether it is live. */
type Shown = Branch<SessionOverview & { state: string }>;

const promptLength = 60;

/** `throughline sessions`: this project's sessions as a tree. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "sessions",
      description: "Show this project's sessions: who continues whom and why, and what each was told",
    },
    args: {
      limit: { type: "string", description: "How many of the newest sessions", default: "50", valueHint: "n" },
      json: { type: "boolean", description: "Print JSON" },
    },
    async run({ args }) {
      const limit = Number(args.limit);
      if (!Number.isInteger(limit) || limit < 1)
        throw new UsageError(`--limit takes a number from 1 on, not "${args.limit}"`);
      using db = openForReading(env);
      const projectId = findScope(db, env, undefined)?.projectId;
      if (projectId === undefined) throw new UsageError("nothing is stored for this folder");
      const sessions = readOverview(db, projectId, limit).map((session) => ({
        ...session,
        state: stateOf(db, env, session),
      }));
      await (args.json ? printJson(sessions) : printText(`${treeText(growTree(sessions))}\n`));
    },
  });

function stateOf(db: Database, env: Env, { id, endedAt, endReason }: SessionOverview): string {
  if (endedAt !== null) return `ended (${endReason})`;
  return clientsOf(db, id).some((client) => env.identify(pidOf(client)) === client) ? "live" : "open";
}

// A chain of one successor each stays at one depth; only a fork goes in.
function treeText(roots: readonly Shown[]): string {
  const lines: string[] = [];
  const draw = (branch: Shown, indent: string): void => {
    for (let at: Shown | undefined = branch; at; ) {
      lines.push(`${indent}${lineOf(at).replace(/[\r\n]+/g, " ")}`);
      const [next, ...others]: Shown[] = at.successors.toReversed();
      for (const other of others.toReversed()) draw(other, `${indent}  `);
      at = next;
    }
  };
  roots.forEach((root, n) => {
    if (n > 0) lines.push("");
    draw(root, "");
  });
  return lines.join("\n");
}

function lineOf(session: Shown): string {
  const place = { startedAt: session.startedAt, zoneOffset: session.zoneOffset ?? 0 };
  const turns = `${session.turns} ${session.turns === 1 ? "turn" : "turns"}${session.left > 0 ? ` (${session.left} left)` : ""}`;
  const link =
    session.linkReason === null
      ? ""
      : session.predecessorId === null
        ? `, ${session.linkReason === "hand" ? "unlinked by hand" : "a copied history"}`
        : `, continues (${session.linkReason})`;
  const told =
    session.characters === null || session.characters === 0
      ? (session.outcome ?? "not started here")
      : `told ${session.fullTurns} in full, ${session.lineTurns} as lines, ${withCommas(session.characters)} characters`;
  const prompt = session.firstPrompt === null ? "" : ` "${head(session.firstPrompt, promptLength)}"`;
  return `${session.sessionId}  ${dateOf(place)} ${timeOf(place)}  ${session.state}, ${turns}${link}; ${told}${prompt}`;
}
