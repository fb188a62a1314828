import type { LinkReason, Message } from "../types.ts";
import { head, headAndTail, tail } from "./clip.ts";
import { dateOf, labelTurns } from "./clock.ts";
import { defuse } from "./defuse.ts";
import { withCommas } from "./numbers.ts";
import type { ContextTurn, Selection } from "./select.ts";
import { type Language, strings } from "./strings.ts";

/** Everything that is told beside the turns themselves. */
export interface Frame {
  language: Language;
  /** UTC milliseconds: how long ago things were. */
  now: number;
  link: { sessionId: string; reason: LinkReason };
  /** How many turns the thread has in all, and since when (UTC milliseconds). */
  total: number;
  since: number | undefined;
  openTodos: readonly string[];
}

/** A rendered thread: its text without part marks, and what is in it. */
export interface Rendered {
  text: string;
  fullTurns: number;
  lineTurns: number;
}

const promptLineLength = 200;
const answerLineLength = 300;
const summaryLineLength = 2_000;
const hour = 3_600_000;
/** No message is shortened below this many units; before that, whole turns become lines. */
const shortestMessage = 1_000;

/** An older turn on one line: its summary, or, while there is none, the beginning of the prompt and the end of the answer. */
export function turnLine(turn: ContextTurn): string {
  const known = lines.get(turn) ?? makeLine(turn);
  lines.set(turn, known);
  return known;
}

// A line is measured and rendered several times.
const lines = new WeakMap<ContextTurn, string>();

function makeLine(turn: ContextTurn): string {
  if (turn.summary !== undefined) return head(turn.summary, summaryLineLength);
  const prompt = turn.messages.find((message) => message.role === "user")?.text ?? "";
  const answer = turn.messages.findLast((message) => message.role === "assistant")?.text ?? "";
  return [head(prompt, promptLineLength), answer && tail(answer, answerLineLength)].filter(Boolean).join(" → ");
}

/** The room a turn takes as a line: its text, what stands before it, and a date line unless the newer line has its date. */
export const lineLength = (turn: ContextTurn, newer: ContextTurn | undefined): number =>
  defuse(turnLine(turn)).length + 16 + (newer && dateOf(newer) === dateOf(turn) ? 0 : 15);

/**
 * Renders turns into at most `capacity` UTF-16 units: lines keep to `lineRoom`; then the longest messages are shown as
 * head and tail; only then do the oldest of the full turns become lines.
 */
export function renderTurns(
  selected: Selection,
  frame: Frame,
  parts: number,
  capacity: number,
  lineRoom: number,
): Rendered {
  const selection = { full: [...selected.full], lines: [...selected.lines] };
  for (;;) {
    const text = fitMessages(selection, frame, parts, capacity);
    if (text.length <= capacity || selection.full.length <= 1) {
      return { text, fullTurns: selection.full.length, lineTurns: selection.lines.length };
    }
    selection.lines.push(selection.full.shift() as ContextTurn);
    dropLines(selection, lineRoom);
  }
}

function dropLines(selection: Selection, room: number): void {
  const { lines } = selection;
  const lengths = lines.map((turn, n) => lineLength(turn, lines[n + 1]));
  let length = lengths.reduce((sum, one) => sum + one, 0);
  let dropped = 0;
  while (length > room && dropped < lines.length) length -= lengths[dropped++] as number;
  lines.splice(0, dropped);
}

/** The text with the longest messages shortened as little as needed; longer than `capacity` when that is not enough. */
function fitMessages(selection: Selection, frame: Frame, parts: number, capacity: number): string {
  const whole = render(selection, frame, parts, Number.POSITIVE_INFINITY);
  if (whole.length <= capacity) return whole;
  let fitting = render(selection, frame, parts, shortestMessage);
  let low = shortestMessage;
  let high = Math.max(...selection.full.flatMap((turn) => joinByRole(turn.messages).map(({ text }) => text.length)));
  while (fitting.length <= capacity && high - low > 50) {
    const middle = Math.floor((low + high) / 2);
    const text = render(selection, frame, parts, middle);
    if (text.length > capacity) high = middle;
    else {
      low = middle;
      fitting = text;
    }
  }
  return fitting;
}

function render(selection: Selection, frame: Frame, parts: number, limit: number): string {
  const say = strings[frame.language];
  const turns = [...selection.lines, ...selection.full];
  const labels = labelTurns(turns);
  const newest = turns.at(-1) as ContextTurn;
  const out = header(newest, frame, parts);
  const hidden = frame.total - turns.length;
  if (selection.lines.length > 0 || hidden > 0) {
    out.push("", say.earlier);
    if (hidden > 0)
      out.push(
        say.older(
          withCommas(hidden),
          dateOf({ startedAt: frame.since ?? newest.startedAt, zoneOffset: newest.zoneOffset }),
        ),
      );
    withDates(out, selection.lines, (turn, n) => [`[${labels[n]}] ${defuse(turnLine(turn))}`]);
  }
  out.push("", say.recent);
  withDates(out, selection.full, (turn, n) =>
    fullTurn(turn, labels[selection.lines.length + n] as string, limit, frame.language),
  );
  out.push(
    "",
    say.position,
    ...position(newest, labels.at(-1) as string, frame),
    "---",
    say.details(labels.at(-1) as string),
  );
  return out.join("\n");
}

function header(newest: ContextTurn, frame: Frame, parts: number): string[] {
  const say = strings[frame.language];
  const age = Math.max(0, frame.now - newest.startedAt);
  const sure = frame.link.reason !== "heuristic" && frame.link.reason !== "inferred";
  const lines = [
    say.title,
    say.howToRead(parts),
    say.continues(shortName(frame.link.sessionId), say.age(age), say.surety[frame.link.reason]) +
      (sure ? "" : ` ${say.guessed}`),
    sure && age < hour ? say.shortAnswer : say.askFirst,
  ];
  return parts > 1 ? [...lines, "", say.lastExchange, ...exchange(newest, 500, 1_000)] : lines;
}

// An id is whatever an event says it is.
const shortName = (sessionId: string): string => sessionId.slice(0, 8).replace(/[^\w-]/g, "_");

function position(newest: ContextTurn, label: string, frame: Frame): string[] {
  const say = strings[frame.language];
  const todos =
    frame.openTodos.length > 0 ? [say.openTodos, ...frame.openTodos.map((todo) => `- ${defuse(head(todo, 200))}`)] : [];
  const lines = exchange(newest, promptLineLength, answerLineLength).map((line) => `[${label}] ${line}`);
  return [...lines, ...stateMark(newest, frame.language), ...todos];
}

function exchange(turn: ContextTurn, promptLength: number, answerLength: number): string[] {
  const prompt = turn.messages.findLast((message) => message.role === "user")?.text ?? "";
  const answer = turn.messages.findLast((message) => message.role === "assistant")?.text;
  return [
    `[user]: ${defuse(head(prompt, promptLength))}`,
    ...(answer ? [`[assistant]: ${defuse(tail(answer, answerLength))}`] : []),
  ];
}

function stateMark(turn: ContextTurn, language: Language): string[] {
  if (turn.state === "interrupted") return [strings[language].interrupted];
  return turn.messages.some((message) => message.role === "assistant") ? [] : [strings[language].unanswered];
}

function fullTurn(turn: ContextTurn, label: string, limit: number, language: Language): string[] {
  const mark = (leftOut: number) => strings[language].leftOut(withCommas(leftOut), label);
  const said = joinByRole(turn.messages).map(
    ({ role, text }) =>
      `[${label}] [${role}]: ${limit === Number.POSITIVE_INFINITY ? defuse(text) : headAndTail(text, limit, mark, defuse)}`,
  );
  if (said.length === 0 && turn.summary !== undefined) return [`[${label}] ${defuse(turnLine(turn))}`];
  const marks = stateMark(turn, language);
  // Without a speech, of a prompt that was an image, the mark must not seem to be the turn's before.
  return said.length > 0 ? [...said, ...marks] : [`[${label}] ${marks.join(" ")}`];
}

// What one side said without the other in between is one speech.
function joinByRole(messages: readonly Message[]): Pick<Message, "role" | "text">[] {
  const speeches: Pick<Message, "role" | "text">[] = [];
  for (const { role, text } of messages) {
    const last = speeches.at(-1);
    if (last?.role === role) last.text += `\n\n${text}`;
    else speeches.push({ role, text });
  }
  return speeches;
}

function withDates(
  out: string[],
  turns: readonly ContextTurn[],
  lines: (turn: ContextTurn, n: number) => string[],
): void {
  let date = "";
  turns.forEach((turn, n) => {
    if (dateOf(turn) !== date) {
      date = dateOf(turn);
      out.push(`— ${date} —`);
    }
    out.push(...lines(turn, n));
  });
}
