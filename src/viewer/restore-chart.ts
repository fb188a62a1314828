import { html } from "hono/html";
import { withCommas } from "../context/numbers.ts";
import { bar, chart, drawing, table } from "./chart.ts";
import type { Html } from "./page.ts";
import { minuteOf } from "./when.ts";

/** What a restore put in, in the place of what. */
export interface Exchange {
  sessionId: number;
  /** UTC milliseconds. */
  at: number;
  zoneOffset: number;
  /** An estimate. */
  tokens: number;
  replacedTokens: number;
}

const width = 100;

/** What was put in, drawn within what it replaced; the newest first. */
export function restoreChart(exchanges: readonly Exchange[]): Html {
  const newestFirst = exchanges.toReversed();
  const most = Math.max(...exchanges.flatMap(({ tokens, replacedTokens }) => [tokens, replacedTokens]), 1);
  const lines = newestFirst.map((one) => {
    const wide = (tokens: number) => Math.max(0.5, (tokens / most) * width);
    const bars = [
      bar({ x: 0, y: 0, width: wide(one.replacedTokens), height: 10, of: "rest" }),
      bar({ x: 0, y: 0, width: wide(one.tokens), height: 10, of: "said" }),
    ];
    return html`<li><a href="/sessions/${one.sessionId}/told">${minuteOf({ startedAt: one.at, zoneOffset: one.zoneOffset })}</a>
${drawing(width, 10, bars)}<span>≈${withCommas(one.tokens)} <small>instead of ${withCommas(one.replacedTokens)}</small></span></li>`;
  });
  const rows = newestFirst.map((one) => [
    minuteOf({ startedAt: one.at, zoneOffset: one.zoneOffset }),
    withCommas(one.tokens),
    withCommas(one.replacedTokens),
  ]);
  const restored = exchanges.reduce((sum, { tokens }) => sum + tokens, 0);
  const replaced = exchanges.reduce((sum, { replacedTokens }) => sum + replacedTokens, 0);
  return chart(
    `≈${withCommas(restored)} tokens instead of ${withCommas(replaced)}`,
    [
      ["said", "restored"],
      ["rest", "replaced"],
    ],
    html`<ul class="exchanges">${lines}</ul>`,
    table(["Session began", "Restored (tokens, about)", "Replaced (tokens)"], rows),
  );
}
