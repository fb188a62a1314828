import { html } from "hono/html";
import { dateOf, type Moment, timeOf } from "../context/clock.ts";
import { strings } from "../context/strings.ts";
import type { Html } from "./page.ts";

/** How long ago a moment was, exact where it is pointed at. Times are UTC milliseconds, `zoneOffset` minutes east. */
export const ago = (moment: Moment, now: number): Html =>
  html`<time datetime="${new Date(moment.startedAt).toISOString()}" title="${dateOf(moment)} ${timeOf(moment)}">${strings.en.age(Math.max(0, now - moment.startedAt))} ago</time>`;

/** `2026-11-30 14:23`, in the moment's own zone. */
export const minuteOf = (moment: Moment): string => `${dateOf(moment)} ${timeOf(moment).slice(0, 5)}`;

/** `3 turns`, `1 turn`. */
export const count = (n: number, noun: string): string => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
