import { basename } from "node:path";
import { html } from "hono/html";
import { findProjectPath } from "../store/project-list.ts";
import type { Session } from "../store/sessions.ts";
import type { View } from "./context.ts";
import { type Html, page } from "./page.ts";
import { fewSessions } from "./project.ts";
import { holds, readThreads, threadTree } from "./tree.ts";

/** What a session can be looked at as. */
export type Tab = "conversation" | "told" | "figures";

const tabs: readonly (readonly [tab: Tab, path: string, label: string, key: string])[] = [
  ["conversation", "", "Conversation", "c"],
  ["told", "/told", "What Claude is told", "w"],
  ["figures", "/figures", "Figures", "f"],
];

/** A page about a session: its thread's tree beside it, what else there is to see above it. */
export function sessionPage(view: View, session: Session, current: Tab, content: Html): Html {
  const path = findProjectPath(view.db, session.projectId) ?? "";
  const thread = readThreads(view, session.projectId, fewSessions).find((root) => holds(root, session.id));
  const name = session.sessionId.slice(0, 8);
  return page(
    {
      title: `${name}, ${basename(path)}`,
      crumbs: [
        { label: "Projects", href: "/" },
        { label: basename(path) || path, href: `/projects/${session.projectId}` },
        { label: name },
      ],
      projectId: session.projectId,
      ...(thread ? { side: threadTree(thread, session.id) } : {}),
    },
    html`<h1 class="unseen">Session ${name}</h1>
<nav class="tabs" aria-label="This session">${tabs.map(
      ([tab, end, label, key]) =>
        html`<a href="/sessions/${session.id}${end}" data-key="${key}" ${tab === current ? html`aria-current="page"` : ""}>${label}</a>`,
    )}</nav>
${content}`,
  );
}
