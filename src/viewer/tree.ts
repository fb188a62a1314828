import { html } from "hono/html";
import { head } from "../context/clip.ts";
import { dateOf } from "../context/clock.ts";
import { pidOf } from "../processes.ts";
import { type Branch, growTree, readOverview, type SessionOverview } from "../store/overview.ts";
import { clientsOf } from "../store/sessions.ts";
import type { LinkReason } from "../types.ts";
import type { View } from "./context.ts";
import type { Html } from "./page.ts";
import { count, minuteOf } from "./when.ts";

type Session = SessionOverview & { isLive: boolean };
/** A session in the tree. */
export type Node = Branch<Session>;

const promptLength = 120;

/** A project's newest threads, the one with the latest activity first; sessions that nothing came of are left out. */
export function readThreads({ db, env }: View, projectId: number, limit: number): Node[] {
  const sessions = readOverview(db, projectId, limit).map((session) => ({
    ...session,
    isLive: isLive({ db, env }, session),
  }));
  return growTree<Session>(sessions)
    .filter((root) => countTurns(root) > 0)
    .sort((a, b) => lastActivity(b) - lastActivity(a));
}

const isLive = ({ db, env }: View, { id, endedAt }: SessionOverview): boolean =>
  endedAt === null && clientsOf(db, id).some((client) => env.identify(pidOf(client)) === client);

/** All sessions of a thread. */
export function nodesOf(root: Node): Node[] {
  const nodes = [root];
  for (let n = 0; n < nodes.length; n += 1) nodes.push(...(nodes[n] as Node).successors);
  return nodes;
}

const countTurns = (root: Node): number => nodesOf(root).reduce((sum, { turns }) => sum + turns, 0);
const lastActivity = (root: Node): number => Math.max(...nodesOf(root).map(({ activeAt }) => activeAt));

/** A thread as a tree: a session below the one it continues, at the same depth; only a fork goes in. */
export const threadTree = (root: Node, current: number | undefined): Html =>
  html`<section class="thread" aria-label="Thread of ${dateOf(momentOf(root))}"><p class="facts">${spanOf(root)}</p>${rail(root, current)}</section>`;

// The successor with the latest activity goes on with the rail; the others have rails of their own, drawn before it.
function rail(root: Node, current: number | undefined): Html {
  const items: Html[] = [];
  for (let at: Node | undefined = root; at; ) {
    const [next, ...others]: Node[] = at.successors.toSorted((a, b) => lastActivity(b) - lastActivity(a));
    const forks = others.toReversed().map((other) => rail(other, current));
    items.push(
      html`<li class="${at.isLive ? "live" : ""}${at.turns === 0 ? " ghost" : ""}">${session(at, current)}${forks}</li>`,
    );
    at = next;
  }
  return html`<ol class="rail">${items}</ol>`;
}

const session = (
  node: Node,
  current: number | undefined,
): Html => html`<a class="session" data-item href="/sessions/${node.id}" ${
  node.id === current ? html`aria-current="page"` : ""
}>
<span class="how">${howItBegan(node)}</span>
<span class="prompt" dir="auto">${titleOf(node)}</span>
<span class="facts">${minuteOf(momentOf(node))} · ${count(node.turns, "turn")}${node.left > 0 ? ` (${node.left} taken back)` : ""}${node.isLive ? " · live" : ""}</span>
${toldOf(node)}</a>`;

const titleOf = ({ firstPrompt, turns }: Node): string =>
  firstPrompt === null ? (turns === 0 ? "No turn yet" : "An answer alone") : head(firstPrompt, promptLength);

const momentOf = ({ startedAt, zoneOffset }: Node) => ({ startedAt, zoneOffset: zoneOffset ?? 0 });

function spanOf(root: Node): string {
  const nodes = nodesOf(root);
  const [from, to] = [dateOf(momentOf(root)), dateOf({ ...momentOf(root), startedAt: lastActivity(root) })];
  const span = from === to ? from : `${from} – ${to}`;
  return `${span} · ${count(nodes.length, "session")} · ${count(countTurns(root), "turn")}`;
}

const reasons: Readonly<Record<LinkReason, string>> = {
  exact: "same window",
  heuristic: "a guess",
  inferred: "a guess from the files",
  uuids: "same history",
  hand: "by hand",
};

/** What made a session: `/clear, same window`; a new beginning says so. */
export function howItBegan({ source, linkReason, predecessorId }: SessionOverview): string {
  if (predecessorId === null)
    return linkReason === "hand" ? "unlinked by hand" : linkReason === "uuids" ? "fork" : "start";
  const began = linkReason === "uuids" || source === "fork" ? "fork" : source === "clear" ? "/clear" : "new window";
  return `${began} · ${linkReason === null ? "" : reasons[linkReason]}`;
}

const toldOf = ({ characters, fullTurns, lineTurns, outcome }: Node): Html =>
  characters === null || characters === 0
    ? html`<span class="told">${outcome && outcome !== "restored" ? outcome : ""}</span>`
    : html`<span class="told">told ${fullTurns} in full${lineTurns ? `, ${lineTurns} as lines` : ""}</span>`;

/** Whether a session is in the thread. */
export const holds = (root: Node, id: number): boolean => nodesOf(root).some((node) => node.id === id);
