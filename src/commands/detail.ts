import type { Database } from "bun:sqlite";
import { defineCommand } from "citty";
import { head } from "../context/clip.ts";
import { dateOf, timeOf } from "../context/clock.ts";
import { defuseStart } from "../context/defuse.ts";
import { splitText } from "../context/parts.ts";
import type { Env } from "../env.ts";
import { quoted } from "../install/quote.ts";
import { printable, printJson, printText } from "../output.ts";
import { readDetails } from "../store/details.ts";
import { readMessages, readSummary } from "../store/messages.ts";
import { type Lookup, lookUp, type NamedTurn } from "./lookup.ts";
import { findScope, openForReading } from "./scope.ts";
import { turnText } from "./turn-text.ts";
import { UsageError } from "./usage.ts";
import { accepted, parseWhen } from "./when.ts";

/** Claude Code cuts what a Bash call prints at 30,000 characters and shows the model 2 KB of it. */
const pageRoom = 28_500;
const mostListed = 20;

/** `throughline detail <time>`: a turn's conversation and tool traffic. */
export default (env: Env) =>
  defineCommand({
    meta: {
      name: "detail",
      description: "Show turns with their tool input and output, by time: 14:23:05, 14:23-14:30, 2026-11-29 13:02",
    },
    args: {
      time: {
        type: "positional",
        required: false,
        valueHint: "time …",
        description: "14:23:05 | 14:23 | 14:23-14:30 | 2026-11-29 13:02 | 14:23:05#2",
      },
      page: { type: "string", description: "Which page of a long answer", default: "1", valueHint: "n" },
      session: {
        type: "string",
        description: "The thread of this session instead of the current one",
        valueHint: "id",
      },
      json: { type: "boolean", description: "Print JSON" },
    },
    async run({ args }) {
      const asked = args._.join(" ");
      const when = parseWhen(asked);
      if (!when)
        throw new UsageError(`${asked ? `"${asked}" is no time` : "a time is needed"}: detail takes ${accepted}`);
      const page = Number(args.page);
      if (!Number.isInteger(page) || page < 1)
        throw new UsageError(`--page takes a number from 1 on, not "${args.page}"`);
      using db = openForReading(env);
      const found = lookUp(db, findScope(db, env, args.session), when);
      if (args.json) return await printJson(toJson(db, found));
      const session = args.session === undefined ? "" : ` --session ${quoted([args.session])}`;
      const again = found.shown.length === 1 ? commandOf(found.shown[0] as NamedTurn) : `throughline detail ${asked}`;
      await printText(
        `${pageOf(textOf(db, found, asked), page, again.includes("--session") ? again : again + session)}\n`,
      );
    },
  });

// An id is whatever an event or an import says it is, and the line is there to be typed.
const commandOf = (turn: NamedTurn): string =>
  `throughline detail ${turn.name}${turn.inThread ? "" : ` --session ${quoted([turn.session])}`}`;

function textOf(db: Database, { shown, also, nearest }: Lookup, asked: string): string {
  if (shown.length === 0) {
    const near =
      nearest.length > 0
        ? ["The nearest turns:", ...nearest.map((turn) => listing(db, turn))]
        : ["Nothing is stored for this project."];
    return [`No turn at ${asked}.`, ...near].join("\n");
  }
  const turns = shown.map((turn) =>
    turnText(turn.name, turn.session, readMessages(db, turn.id), readDetails(db, turn.id)),
  );
  const others = also.slice(0, mostListed).map((turn) => listing(db, turn));
  const more = also.length > mostListed ? [`(and ${also.length - mostListed} more: give a date)`] : [];
  return printable(
    [turns.join("\n\n"), ...(others.length > 0 ? ["", `Also at ${asked}:`, ...others, ...more] : [])].join("\n"),
  );
}

function listing(db: Database, turn: NamedTurn): string {
  const first = readMessages(db, turn.id)[0]?.text ?? readSummary(db, turn.id) ?? "";
  return `- ${commandOf(turn)} — ${printable(head(first, 100))}`;
}

function pageOf(text: string, page: number, command: string): string {
  const pages = splitText(text, pageRoom, defuseStart);
  const body = pages[page - 1];
  if (body === undefined) throw new UsageError(`there is no page ${page}: the answer has ${pages.length}`);
  if (pages.length === 1) return body;
  const next = page < pages.length ? ` Next: \`${command} --page ${page + 1}\`` : "";
  return `${body}\n---\nPage ${page} of ${pages.length}.${next}`;
}

const toJson = (db: Database, { shown, also, nearest }: Lookup) => ({
  turns: shown.map((turn) => ({
    uuid: turn.uuid,
    session: turn.session,
    date: dateOf(turn),
    time: timeOf(turn),
    started_at: turn.startedAt,
    state: turn.state,
    messages: readMessages(db, turn.id).map(({ role, at, text }) => ({ role, at, text })),
    details: readDetails(db, turn.id).map(({ sourceId, kind, tool, at, input, output }) => ({
      kind,
      source_id: sourceId,
      tool,
      at,
      input,
      output,
    })),
  })),
  also: also.map((turn) => ({ name: turn.name, session: turn.session })),
  nearest: nearest.map((turn) => ({ name: turn.name, session: turn.session })),
});
