import type { Database } from "bun:sqlite";
import { defineCommand } from "citty";
import { head } from "../context/clip.ts";
import { dateOf, labelTurns, timeOf } from "../context/clock.ts";
import { splitText } from "../context/parts.ts";
import type { Env } from "../env.ts";
import { type FoundTurn, findNearestTurns, findTurns, threadSessions } from "../store/find.ts";
import { readDetails, readMessages, readSummary } from "../store/messages.ts";
import { findScope, openForReading, printable, type Scope } from "./scope.ts";
import { turnText } from "./turn-text.ts";
import { UsageError } from "./usage.ts";
import { accepted, parseWhen, type When } from "./when.ts";

/** Claude Code cuts what a Bash call prints at 30,000 characters and shows the model 2 KB of it. */
const pageRoom = 28_500;
const mostTurns = 200;
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
      const scope = findScope(db, env, args.session);
      const answer = answerFor(db, scope, when);
      const text = args.json
        ? JSON.stringify(toJson(db, answer), null, 2)
        : pageOf(textOf(db, answer, asked), page, commandFor(answer, asked));
      await Bun.write(Bun.stdout, `${text}\n`);
    },
  });

/** The turns that are shown, oldest first, those that match as well and are only listed, and, where nothing matches, the nearest. */
interface Answer {
  shown: Labelled[];
  listed: Labelled[];
  nearest: Labelled[];
}

interface Labelled extends FoundTurn {
  /** `2026-11-30 14:23:05`, with `#2` for the second turn of one second. */
  label: string;
}

const label = (turns: readonly FoundTurn[]): Labelled[] => {
  const times = labelTurns(turns);
  return turns.map((turn, n) => ({ ...turn, label: `${dateOf(turn)} ${times[n]}` }));
};

function answerFor(db: Database, scope: Scope | undefined, when: When): Answer {
  if (!scope) return { shown: [], listed: [], nearest: [] };
  const day = when.date === undefined ? undefined : Math.floor(Date.parse(when.date) / 86_400_000);
  const found = label(findTurns(db, scope.projectId, day, when.from, when.to, mostTurns).reverse());
  const matches =
    when.nth === undefined ? found : found.filter((turn) => Number(turn.label.split("#")[1] ?? 1) === when.nth);
  if (matches.length === 0)
    return {
      shown: [],
      listed: [],
      nearest: label(findNearestTurns(db, scope.projectId, nearTo(db, scope, when, day))),
    };
  const thread = scope.session ? threadSessions(db, scope.session.id) : new Set<number>();
  const inThread = matches.filter((turn) => thread.has(turn.sessionId));
  const preferred = inThread.length > 0 ? inThread : matches;
  const newest = preferred.at(-1) as Labelled;
  const shown =
    when.single && when.to - when.from < 60 ? [newest] : preferred.filter((turn) => isOfSpan(turn, newest, when));
  return { shown, listed: matches.filter((turn) => !shown.includes(turn)).reverse(), nearest: [] };
}

// A range without a date means its newest occurrence.
function isOfSpan(turn: FoundTurn, newest: FoundTurn, when: When): boolean {
  return when.date !== undefined || newest.startedAt - turn.startedAt <= (when.to - when.from) * 1000;
}

// Without a date: that time on the day of the thread's last activity.
function nearTo(db: Database, scope: Scope, when: When, day: number | undefined): number {
  const [last] = findNearestTurns(db, scope.projectId, Number.MAX_SAFE_INTEGER).slice(-1);
  const zone = (last?.zoneOffset ?? 0) * 60_000;
  const days = day ?? Math.floor(((last?.startedAt ?? 0) + zone) / 86_400_000);
  return days * 86_400_000 + when.from * 1000 - zone;
}

function commandFor({ shown }: Answer, asked: string): string {
  const [first] = shown;
  return `throughline detail ${shown.length === 1 && first ? first.label : asked}`;
}

function textOf(db: Database, { shown, listed, nearest }: Answer, asked: string): string {
  if (shown.length === 0) {
    const near = nearest.map((turn) => listing(db, turn));
    return [
      `No turn at ${asked}.`,
      ...(near.length > 0 ? ["The nearest turns:", ...near] : ["Nothing is stored for this project."]),
    ].join("\n");
  }
  const turns = shown.map((turn) =>
    turnText(turn.label, turn.session, readMessages(db, turn.id), readDetails(db, turn.id)),
  );
  const others = listed.slice(0, mostListed).map((turn) => listing(db, turn));
  return printable([turns.join("\n\n"), ...(others.length > 0 ? ["", `Also at ${asked}:`, ...others] : [])].join("\n"));
}

function listing(db: Database, turn: Labelled): string {
  const first = readMessages(db, turn.id)[0]?.text ?? readSummary(db, turn.id) ?? "";
  return `- throughline detail ${turn.label} — ${printable(head(first, 100))}`;
}

function pageOf(text: string, page: number, command: string): string {
  const pages = splitText(text, pageRoom);
  const body = pages[page - 1];
  if (body === undefined) throw new UsageError(`there is no page ${page}: the answer has ${pages.length}`);
  if (pages.length === 1) return body;
  const next = page < pages.length ? ` Next: \`${command} --page ${page + 1}\`` : "";
  return `${body}\n---\nPage ${page} of ${pages.length}.${next}`;
}

const toJson = (db: Database, { shown, listed, nearest }: Answer) => ({
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
  also: listed.map((turn) => turn.label),
  nearest: nearest.map((turn) => turn.label),
});
