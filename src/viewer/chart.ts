import { html, raw } from "hono/html";
import type { Html } from "./page.ts";

/** What a colour stands for: what was said or restored, tool traffic, and all beside. */
export type Share = "said" | "tools" | "rest";

/** A rectangle of a drawing, with what is said where it is pointed at. */
export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  of: Share;
  says?: string;
}

const round = (n: number): number => Math.round(n * 100) / 100;

/** A drawing that takes the width it is given; words stand beside it, so that they keep their size. */
export const drawing = (width: number, height: number, shapes: readonly Html[]): Html =>
  html`<svg class="drawing" viewBox="0 0 ${width} ${round(height)}" preserveAspectRatio="none" aria-hidden="true">${shapes}</svg>`;

export const bar = ({ x, y, width, height, of, says }: Bar): Html =>
  html`<rect class="of-${of}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}">${says ? html`<title>${says}</title>` : ""}</rect>`;

/** The area between two rows of heights, `bottom` and `top`, over x = 0, 1, 2 …; heights count from `floor` up. */
export function area(bottom: readonly number[], top: readonly number[], floor: number, of: Share): Html {
  const line = (heights: readonly number[]) => heights.map((height, x) => `${x},${round(floor - height)}`);
  return html`<polygon class="of-${of}" points="${raw([...line(top), ...line(bottom).reverse()].join(" "))}"/>`;
}

/** A chart with its legend and, folded, its numbers. */
export const chart = (
  title: string,
  legend: readonly (readonly [of: Share, label: string])[],
  plot: Html,
  table: Html,
): Html => html`<figure class="chart">
<figcaption>${title}</figcaption>
${legend.length === 0 ? "" : html`<ul class="legend">${legend.map(([of, label]) => html`<li><i class="of-${of}"></i>${label}</li>`)}</ul>`}
${plot}
<details class="numbers"><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}, as a table">${table}</div></details>
</figure>`;

/** A table; the first cell of a row names it. */
export const table = (heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html => html`<table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table>`;
