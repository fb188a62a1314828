import { borderBefore } from "./clip.ts";
import { defuseStart } from "./defuse.ts";
import { type Frame, lineLength, type Rendered, renderTurns } from "./render.ts";
import { type ContextTurn, type Selection, selectTurns } from "./select.ts";
import { strings } from "./strings.ts";

/** One hook's text, with its heading, and the time of the first turn in it. */
export interface Part {
  text: string;
  firstAt: string | null;
}

/**
 * The client cuts what one hook says at 10,000 UTF-16 units (10,000 pass, one more becomes a 2 KB preview; measured with
 * 2.1.332 and 2.1.197). 9,900 is our limit; 100 of them are kept for the note that the part before did not arrive.
 */
export const partLimit = 9_900;
export const noteLimit = 100;
const headingRoom = 40;
const bodyRoom = partLimit - noteLimit - headingRoom;
/** The cap is per hook entry; hooks.json registers this many. */
export const mostParts = 8;
/** Older turns as lines get two parts, or a quarter of what is allowed where that is less. */
const lineParts = 2;

/** What the next session is told, in parts. */
export interface Told extends Omit<Rendered, "text"> {
  parts: Part[];
}

/** The room that older turns as lines have in `allowed` parts, in UTF-16 units. */
export const roomForLines = (allowed: number): number =>
  Math.min(lineParts * bodyRoom, Math.floor((allowed * bodyRoom) / 4));

/** What `allowed` parts hold, in UTF-16 units. */
export const capacityOf = (allowed: number): number => allowed * bodyRoom;

/**
 * Renders a thread into at most `allowed` parts.
 * @param newestFirst the thread's turns as it is walked; read no further than needed
 */
export function renderParts(newestFirst: Iterable<ContextTurn>, frame: Frame, allowed: number): Told {
  if (allowed < 1) return { parts: [], fullTurns: 0, lineTurns: 0 };
  const lineRoom = roomForLines(allowed);
  const selection = selectTurns(newestFirst, lineLength, lineRoom);
  for (let capacity = capacityOf(allowed); ; capacity = Math.floor(capacity * 0.95)) {
    // The text says how many parts it comes in, so it is rendered for a guess, then for as many as it takes.
    for (let parts = guessParts(selection, allowed); parts <= allowed; ) {
      const rendered = renderTurns(selection, frame, parts, capacity, lineRoom);
      const bodies = splitText(rendered.text, bodyRoom, defuseStart);
      // One turn alone may have more speeches than fit at their shortest: then its end goes.
      const tooLong = rendered.text.length > capacity && parts === allowed;
      if (bodies.length === parts || tooLong) return toldOf(rendered, bodies.slice(0, allowed), frame);
      parts = rendered.text.length > capacity ? allowed : bodies.length;
    }
  }
}

function guessParts({ full, lines }: Selection, allowed: number): number {
  const said = full.flatMap(({ messages }) => messages).reduce((sum, { text }) => sum + text.length + 30, 0);
  const room = lines.reduce((sum, turn, n) => sum + lineLength(turn, lines[n + 1]), said);
  return Math.min(allowed, Math.ceil(room / bodyRoom));
}

function toldOf(rendered: Rendered, bodies: readonly string[], frame: Frame): Told {
  const times = firstTimes(bodies);
  const parts = bodies.map((body, n) => ({
    text: `${strings[frame.language].part(n + 1, bodies.length)}\n${body}`,
    firstAt: times[n] ?? null,
  }));
  return { parts, fullTurns: rendered.fullTurns, lineTurns: rendered.lineTurns };
}

/**
 * Cuts a text into pieces of at most `room` units, at line borders where one is near, else at grapheme borders. A newline
 * at a border is in neither piece.
 * @param goOn what is made of a piece that begins within a line
 */
export function splitText(text: string, room: number, goOn = (piece: string) => piece): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const rest = text.slice(from);
    const reach = rest[room] === "\n" ? room + 1 : room;
    const length = borderBefore(rest, reach, room / 5) || reach;
    pieces.push(rest.slice(0, length));
    from += length;
  }
  return pieces.map((piece, n) => {
    const whole = piece.replace(/\n$/, "");
    return n === 0 || pieces[n - 1]?.endsWith("\n") ? whole : goOn(whole);
  });
}

const named = /^(?:\[(\d\d:\d\d:\d\d(?:#\d+)?)\]|— (\d{4}-\d\d-\d\d) —$)/gm;

/** When a turn was: its time as `detail` takes it, and the date that was named last. */
interface When {
  date: string | undefined;
  time: string | undefined;
}

// The turn that each piece begins in: named before it, or at its beginning.
function firstTimes(bodies: readonly string[]): (string | undefined)[] {
  let before: When = { date: undefined, time: undefined };
  return bodies.map((body) => {
    const { first, isAtStart, last } = namedIn(body, before);
    const { date, time } = isAtStart || before.time === undefined ? first : before;
    before = last;
    return date !== undefined && time !== undefined ? `${date} ${time}` : time;
  });
}

/** What a piece names first and last, and whether it begins with that. */
function namedIn(body: string, before: When): { first: When; isAtStart: boolean; last: When } {
  let first: When | undefined;
  let last = before;
  let isAtStart = false;
  let dated = 0; // where the dates that the piece begins with end
  for (const { 0: line, 1: time, 2: date, index } of body.matchAll(named)) {
    if (date !== undefined && index === dated) dated += line.length + 1;
    last = { date: date ?? last.date, time: time ?? last.time };
    if (time !== undefined && !first) {
      first = last;
      isAtStart = index === dated;
    }
  }
  return { first: first ?? before, isAtStart, last };
}
