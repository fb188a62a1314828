import { html } from "hono/html";
import { dateOf, timeOf } from "../context/clock.ts";
import { withCommas } from "../context/numbers.ts";
import { estimateTokens } from "../context/tokens.ts";
import { readDetails } from "../store/details.ts";
import { listContextSizes } from "../store/figures.ts";
import { readMessages } from "../store/messages.ts";
import type { Session } from "../store/sessions.ts";
import { area, chart, drawing, table } from "./chart.ts";
import type { View } from "./context.ts";
import { type Filling, fillContext, type TurnTokens, thin } from "./layers.ts";
import type { Html } from "./page.ts";
import { sessionPage } from "./session.ts";

const mostPoints = 240;
const height = 100;

/** What filled a session's context, turn by turn. */
export function figuresPage(view: View, session: Session): Html {
  const fillings = fillContext(readTokens(view, session));
  return sessionPage(
    view,
    session,
    "figures",
    fillings.length === 0 ? html`<p class="empty">This session has no turn of its own.</p>` : fillingChart(fillings),
  );
}

function readTokens({ db }: View, session: Session): TurnTokens[] {
  return listContextSizes(db, session.id).map(({ turnId, contextTokens, ...moment }) => ({
    name: `${dateOf(moment)} ${timeOf(moment)}`,
    said: readMessages(db, turnId).reduce((sum, { text }) => sum + estimateTokens(text), 0),
    tools: readDetails(db, turnId).reduce(
      (sum, { input, output }) => sum + estimateTokens(input ?? "") + estimateTokens(output ?? ""),
      0,
    ),
    context: contextTokens,
  }));
}

const legendOf = ({ said, tools, rest }: Filling) =>
  [
    ["said", `what was said (L2): ${withCommas(said)}`],
    ["tools", `tool traffic (L3): ${withCommas(tools)}`],
    ["rest", `instructions, tools, what was restored: ${withCommas(rest)}`],
  ] as const;

function fillingChart(fillings: readonly Filling[]): Html {
  // A single turn is drawn as wide as the chart.
  const points = thin(fillings.length === 1 ? [...fillings, ...fillings] : fillings, mostPoints);
  const tops = points.map(({ said, tools, rest }) => said + tools + rest);
  const most = Math.max(...tops, 1);
  const scale = (heights: readonly number[]) => heights.map((tokens) => (tokens / most) * height);
  const rest = scale(points.map((point) => point.rest));
  const tools = scale(points.map((point) => point.rest + point.tools));
  const said = scale(tops);
  const last = points.at(-1) as Filling;
  const plot = html`<div class="plot tall"><p class="most">${withCommas(most)} tokens</p>${drawing(
    points.length - 1,
    height,
    [
      area(
        rest.map(() => 0),
        rest,
        height,
        "rest",
      ),
      area(rest, tools, height, "tools"),
      area(tools, said, height, "said"),
    ],
  )}<p class="ends"><span>${points[0]?.name}</span><span>${last.name}</span></p></div>`;
  const rows = thin(fillings, mostPoints).map(({ name, ...of }) => [
    name,
    ...[of.said, of.tools, of.rest].map(withCommas),
  ]);
  return chart(
    "What filled the context, turn by turn",
    legendOf(last),
    plot,
    table(["Turn", "Said (L2)", "Tool traffic (L3)", "Beside"], rows),
  );
}
