import type { Database } from "bun:sqlite";
import { Hono } from "hono";
import { html } from "hono/html";
import type { Env } from "../env.ts";
import { printable } from "../output.ts";
import { isDamage } from "../store/damage.ts";
import { whereIs } from "../store/search.ts";
import { findSession, getSession, type Session } from "../store/sessions.ts";
import { type Access, guard, headers } from "./access.ts";
import { assets } from "./assets.ts";
import { Absent, type View } from "./context.ts";
import { conversationPage, turnsFrom } from "./conversation.ts";
import { figuresPage } from "./figures.ts";
import { type Html, page } from "./page.ts";
import { fewSessions, projectPage } from "./project.ts";
import { projectsPage } from "./projects.ts";
import { hits, searchPage } from "./search.ts";
import { toldPage } from "./told.ts";
import { turnTools } from "./turn.ts";

/** What an address asks for: the number in it, and what stands behind the question mark. */
type Make = (view: View, id: number, asked: URLSearchParams) => Html;

const pages: Readonly<Record<string, Make>> = {
  "/": projectsPage,
  "/projects/:id{[0-9]+}": (view, id, asked) => projectPage(view, id, numberOf(asked.get("limit")) ?? fewSessions),
  "/sessions/:id{[0-9]+}": (view, id, asked) =>
    conversationPage(view, sessionOf(view, id), numberOf(asked.get("turn"))),
  "/sessions/:id{[0-9]+}/turns": (view, id, asked) =>
    turnsFrom(view, sessionOf(view, id), numberOf(asked.get("from")) ?? 0),
  "/sessions/:id{[0-9]+}/told": (view, id, asked) => toldPage(view, sessionOf(view, id), asked.get("at") === "start"),
  "/sessions/:id{[0-9]+}/figures": (view, id) => figuresPage(view, sessionOf(view, id)),
  "/turns/:id{[0-9]+}/tools": turnTools,
  "/search": (view, _id, asked) => {
    const search = { text: asked.get("q") ?? "", projectId: numberOf(asked.get("project")) };
    return asked.get("only") === "hits" ? hits(view, search) : searchPage(view, search);
  },
};

/**
 * The viewer: from a request to an answer. The store is opened for each, without the right to change it, so that one that
 * was put in its place is seen and none is held.
 * @param open opens the store for reading
 */
export function createApp(env: Env, open: () => Database, access: Access): Hono {
  const app = new Hono();
  app.use(headers, guard(access));
  for (const [path, { type, text }] of Object.entries(assets))
    app.get(path, (c) => c.body(text(), 200, { "content-type": type }));
  for (const [path, make] of Object.entries(pages)) {
    app.get(path, (c) => {
      using db = open();
      return c.html(plain(make({ db, env }, Number(c.req.param("id")), new URL(c.req.url).searchParams)));
    });
  }
  app.get("/turns/:id{[0-9]+}", (c) => {
    using db = open();
    return c.redirect(addressOf(db, Number(c.req.param("id"))), 303);
  });
  app.notFound((c) => c.html(trouble("There is no such page here."), 404));
  app.onError((error, c) => {
    if (error instanceof Absent) return c.html(trouble(error.message), 404);
    const todo = isDamage(error) ? " The database is damaged: `throughline db repair` saves what it holds." : "";
    return c.html(trouble(`${error.message}.${todo}`), 500);
  });
  return app;
}

// Without the signs that turn the order of what is shown, and other control characters, whoever stored them.
const plain = (made: Html): string => printable(`${made}`);

const trouble = (message: string): string =>
  plain(page({ title: "Not here" }, html`<h1>Not here</h1><p class="empty">${message}</p>`));

const numberOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

function sessionOf({ db }: View, id: number): Session {
  const session = getSession(db, id);
  if (!session) throw new Absent("There is no such session; it may have been forgotten.");
  return session;
}

/** The page that shows a turn, in the newest session that lists it. */
function addressOf(db: Database, turnId: number): string {
  const session = findSession(db, whereIs(db, turnId)?.session ?? "");
  if (!session) throw new Absent("There is no such turn; it may have been forgotten.");
  return `/sessions/${session.id}?turn=${turnId}`;
}
