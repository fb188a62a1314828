import { html } from "hono/html";
import { withCommas } from "../context/numbers.ts";
import type { DaySpend } from "../store/figures.ts";
import { bar, chart, drawing, table } from "./chart.ts";
import type { Html } from "./page.ts";
import { count } from "./when.ts";

const day = 86_400_000;
const height = 40;
const gap = 0.2;

/** What the runs that make lines cost, a bar a day. */
export function spendChart(spend: readonly DaySpend[], since: number, days: number): Html {
  if (spend.length === 0)
    return html`<p class="empty">No line was written in the last ${days} days: nothing was spent.</p>`;
  const names = Array.from({ length: days }, (_, n) => new Date(since + n * day).toISOString().slice(0, 10));
  const most = Math.max(...spend.map(({ costUsd }) => costUsd), 0.000_1);
  const bars = names.flatMap((name, x) => {
    const of = spend.find((one) => one.day === name);
    if (!of) return [];
    const tall = Math.max(0.6, (of.costUsd / most) * height);
    return [bar({ x: x + gap / 2, y: height - tall, width: 1 - gap, height: tall, of: "said", says: sayDay(of) })];
  });
  const total = spend.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const kept = spend.reduce((sum, one) => sum + one.kept, 0);
  const plot = html`<div class="plot"><p class="most">${dollars(most)}</p>${drawing(days, height, bars)}
<p class="ends"><span>${names[0]}</span><span>${names.at(-1)}</span></p></div>`;
  const rows = spend.map((one) => [
    one.day,
    withCommas(one.runs),
    withCommas(one.kept),
    withCommas(one.tokens),
    dollars(one.costUsd),
  ]);
  return chart(
    `${dollars(total)} for ${count(kept, "line")} in ${days} days`,
    [],
    plot,
    table(["Day (UTC)", "Runs", "Lines", "Tokens", "Cost"], rows),
  );
}

const sayDay = (one: DaySpend): string => `${one.day}: ${dollars(one.costUsd)}, ${count(one.kept, "line")}`;

const dollars = (amount: number): string => `$${amount.toFixed(amount < 1 ? 3 : 2)}`;
