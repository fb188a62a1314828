import type { Database } from "bun:sqlite";
import type { Masks } from "./mask/masks.ts";
import { maskTurn } from "./mask/turns.ts";
import type { PageTurn } from "./pages/turn.ts";
import { readDetails, readPlan } from "./store/details.ts";
import { readMessages, readSummary } from "./store/messages.ts";
import { type Detail, type Message, planTool } from "./types.ts";

/** The head of a turn: all of it but its texts. */
export type PageHead = Pick<PageTurn, "startedAt" | "zoneOffset" | "state" | "contextTokens"> & { id: number };

/** A stored turn as a page shows it, with masks: what was stored before they were there does not come out either. */
export function readPageTurn(db: Database, head: PageHead, name: string, masks: Masks): PageTurn {
  const texts = {
    messages: readSaid(db, head.id),
    summary: readSummary(db, head.id) ?? null,
    details: readTraffic(db, head.id),
  };
  return { ...head, ...maskTurn(texts, masks), name };
}

/** What was said in a turn. A plan that the person accepted stands where a prompt would. */
export function readSaid(db: Database, turnId: number): Pick<Message, "role" | "at" | "text">[] {
  const plan = readPlan(db, turnId);
  const messages = readMessages(db, turnId);
  return plan ? [{ role: "user", at: plan.at, text: plan.output ?? "" }, ...messages] : messages;
}

/** A turn's tool traffic, but for a plan: that is said. */
export const readTraffic = (db: Database, turnId: number): Detail[] =>
  readDetails(db, turnId).filter(({ tool }) => tool !== planTool);
