import type { Database } from "bun:sqlite";
import { Hono } from "hono";
import { html } from "hono/html";
import type { Env } from "../env.ts";
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

/**
 * The viewer: from a request to an answer. The store is opened for each, without the right to change it, so that one that
 * was put in its place is seen and none is held.
 * @param open opens the store for reading
 */
export function createApp(env: Env, open: () => Database, access: Access): Hono {
  const app = new Hono();
  const show = (make: (view: View) => Html): Html => {
    using db = open();
    return make({ db, env });
  };
  app.use(headers, guard(access));
  for (const [path, { type, text }] of Object.entries(assets))
    app.get(path, (c) => c.body(text(), 200, { "content-type": type }));
  app.get("/", (c) => c.html(show(projectsPage)));
  app.get("/projects/:id{[0-9]+}", (c) =>
    c.html(show((view) => projectPage(view, Number(c.req.param("id")), numberOf(c.req.query("limit")) ?? fewSessions))),
  );
  app.get("/sessions/:id{[0-9]+}", (c) =>
    c.html(show((view) => conversationPage(view, sessionOf(view, c.req.param("id")), numberOf(c.req.query("turn"))))),
  );
  app.get("/sessions/:id{[0-9]+}/turns", (c) =>
    c.html(show((view) => turnsFrom(view, sessionOf(view, c.req.param("id")), numberOf(c.req.query("from")) ?? 0))),
  );
  app.get("/sessions/:id{[0-9]+}/told", (c) =>
    c.html(show((view) => toldPage(view, sessionOf(view, c.req.param("id")), c.req.query("at") === "start"))),
  );
  app.get("/sessions/:id{[0-9]+}/figures", (c) =>
    c.html(show((view) => figuresPage(view, sessionOf(view, c.req.param("id"))))),
  );
  app.get("/turns/:id{[0-9]+}", (c) => {
    using db = open();
    return c.redirect(addressOf(db, Number(c.req.param("id"))), 303);
  });
  app.get("/turns/:id{[0-9]+}/tools", (c) => c.html(show((view) => turnTools(view, Number(c.req.param("id"))))));
  app.get("/search", (c) => {
    const search = { text: c.req.query("q") ?? "", projectId: numberOf(c.req.query("project")) };
    return c.html(show((view) => (c.req.query("only") === "hits" ? hits(view, search) : searchPage(view, search))));
  });
  app.notFound((c) => c.html(trouble("There is no such page here."), 404));
  app.onError((error, c) => {
    if (error instanceof Absent) return c.html(trouble(error.message), 404);
    const todo = isDamage(error) ? " The database is damaged: `throughline db repair` saves what it holds." : "";
    return c.html(trouble(`${error.message}.${todo}`), 500);
  });
  return app;
}

const trouble = (message: string): Html => page({ title: "Not here" }, html`<p class="empty">${message}</p>`);

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

function sessionOf({ db }: View, id: string): Session {
  const session = getSession(db, Number(id));
  if (!session) throw new Absent("There is no such session; it may have been forgotten.");
  return session;
}

/** The page that shows a turn, in the newest session that lists it. */
function addressOf(db: Database, turnId: number): string {
  const session = findSession(db, whereIs(db, turnId)?.session ?? "");
  if (!session) throw new Absent("There is no such turn; it may have been forgotten.");
  return `/sessions/${session.id}?turn=${turnId}`;
}
