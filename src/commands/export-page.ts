import type { Database } from "bun:sqlite";
import { type Config, readSettings } from "../config.ts";
import { head } from "../context/clip.ts";
import { turnLabeler } from "../context/clock.ts";
import { detectLanguage } from "../context/strings.ts";
import type { Env } from "../env.ts";
import { type Masks, masksOf } from "../mask/masks.ts";
import { maskTurn } from "../mask/turns.ts";
import { type PageSection, renderPage } from "../pages/page.ts";
import type { PageTurn } from "../pages/turn.ts";
import { words } from "../pages/words.ts";
import { readDetails, readPlan } from "../store/details.ts";
import type { ListedTurn } from "../store/export.ts";
import { readMessages, readSummary } from "../store/messages.ts";
import { type Message, planTool } from "../types.ts";
import type { Stretch } from "./export-scope.ts";
import type { Write } from "./sink.ts";

/** What a page is made with. */
export interface PageOptions {
  /** `Throughline 0.1.0` */
  program: string;
  /** Whether tool traffic is in it. */
  details: boolean;
}

const titleLength = 80;
/** Turns by which the conversation's language is told. */
const sampled = 20;

/** Writes stretches of sessions as one page, a turn at a time: no more of the turns than their heads is in memory at once. */
export async function exportPage(
  db: Database,
  env: Env,
  stretches: readonly Stretch[],
  options: PageOptions,
  write: Write,
): Promise<void> {
  const settingsOf = rememberBy((project: string) => readSettings(env, () => project).config);
  const turns = stretches.flatMap((stretch) => stretch.turns);
  const [first, last] = [turns[0], turns.at(-1)];
  const projects = [...new Set(stretches.map(({ session }) => session.project))];
  const config = settingsOf(projects[0] ?? env.cwd);
  const pieces = renderPage({
    title: first && projects.length === 1 ? titleOf(db, first, masksOf(config)) : "Throughline",
    place: projects.join(", "),
    turns: turns.length,
    sessions: stretches.length,
    span: first && last && [first, last],
    sections: sectionsOf(db, stretches, (project) => masksOf(settingsOf(project)), options.details),
    program: options.program,
    madeAt: { startedAt: env.now(), zoneOffset: env.zoneOffset ?? -new Date(env.now()).getTimezoneOffset() },
    words: words[languageOf(db, turns, config)],
  });
  for (const piece of pieces) await write(piece);
}

function* sectionsOf(
  db: Database,
  stretches: readonly Stretch[],
  masksFor: (project: string) => Masks,
  details: boolean,
): Generator<PageSection> {
  const nameTurn = turnLabeler();
  for (const { session, turns } of stretches) {
    const masks = masksFor(session.project);
    const zoneOffset = turns[0]?.zoneOffset ?? 0;
    const pageTurns = readEach(turns, (turn) => readTurn(db, turn, nameTurn(turn), masks, details));
    yield { session: session.id, source: session.source, startedAt: session.started_at, zoneOffset, turns: pageTurns };
  }
}

function* readEach(turns: readonly ListedTurn[], read: (turn: ListedTurn) => PageTurn): Generator<PageTurn> {
  for (const turn of turns) yield read(turn);
}

// What was stored before masks were there, or while they were off, does not leave either.
function readTurn(db: Database, turn: ListedTurn, name: string, masks: Masks, withDetails: boolean): PageTurn {
  const details = withDetails ? readDetails(db, turn.id) : [];
  const texts = {
    messages: messagesOf(db, turn),
    details: details.filter(({ tool }) => tool !== planTool),
    summary: readSummary(db, turn.id) ?? null,
  };
  return { ...turn, ...maskTurn(texts, masks), name };
}

// A plan that the person accepted stands where a prompt would.
function messagesOf(db: Database, turn: ListedTurn): Pick<Message, "role" | "at" | "text">[] {
  const plan = readPlan(db, turn.id);
  const messages = readMessages(db, turn.id);
  return plan ? [{ role: "user", at: plan.at, text: plan.output ?? "" }, ...messages] : messages;
}

const firstText = (db: Database, turn: ListedTurn): string => messagesOf(db, turn)[0]?.text ?? "";

const titleOf = (db: Database, first: ListedTurn, masks: Masks): string =>
  head(masks.words(firstText(db, first)), titleLength);

function languageOf(db: Database, turns: readonly ListedTurn[], { language }: Config): "en" | "ja" {
  if (language !== "auto") return language;
  return detectLanguage(turns.slice(-sampled).map((turn) => firstText(db, turn).slice(0, 2_000)));
}

function rememberBy<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
