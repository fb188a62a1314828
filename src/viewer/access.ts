import { timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { html } from "hono/html";
import { page } from "./page.ts";

/** Who may look: who has the address that was printed, and then a cookie. */
export interface Access {
  port: number;
  /** In the printed address; good for any number of browsers. */
  token: string;
  /** Handed to the browser that is opened: other people of the machine see its arguments, so it is good once. */
  once: string | undefined;
  /** What the cookie holds. */
  secret: string;
}

const random = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");

export const createAccess = (port: number): Access => ({ port, token: random(), once: random(), secret: random() });

// Cookies know no ports: two viewers must not take each other's.
const cookieName = (port: number): string => `throughline-${port}`;

/**
 * Lets through what the person's own browser asks for from our own pages. The host is compared, so that no name that was
 * made to point here works (DNS rebinding); the origin, so that no other page can ask.
 */
export const guard =
  (access: Access): MiddlewareHandler =>
  async (c, next) => {
    const host = c.req.header("host") ?? "";
    if (![`127.0.0.1:${access.port}`, `localhost:${access.port}`].includes(host)) return refuse(c, 403);
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`) return refuse(c, 403);
    if (!["same-origin", "none"].includes(c.req.header("sec-fetch-site") ?? "none")) return refuse(c, 403);
    if (c.req.method !== "GET") return refuse(c, 405, { allow: "GET" });
    const token = new URL(c.req.url).searchParams.get("token");
    if (token !== null) return enter(c, access, token);
    if (!same(getCookie(c, cookieName(access.port)), access.secret)) return refuse(c, 401);
    return next();
  };

function enter(c: Context, access: Access, token: string): Response | Promise<Response> {
  const isOnce = same(token, access.once);
  if (isOnce) access.once = undefined;
  if (!isOnce && !same(token, access.token)) return refuse(c, 401);
  setCookie(c, cookieName(access.port), access.secret, { httpOnly: true, sameSite: "Strict", path: "/" });
  return c.redirect("/", 303);
}

function same(given: string | undefined, expected: string | undefined): boolean {
  if (given === undefined || expected === undefined) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const reasons = {
  401: "This address needs its key. Open the whole address that `throughline view` printed.",
  403: "This page is only for the browser of the person who started it.",
  405: "Nothing can be changed here.",
} as const;

const refuse = async (
  c: Context,
  status: keyof typeof reasons,
  headers: Record<string, string> = {},
): Promise<Response> =>
  c.html(page({ title: "Not here" }, html`<p class="empty">${reasons[status]}</p>`), status, headers);

/** What every answer says: nothing is loaded from elsewhere, nothing is run but our files, nobody frames or keeps it. */
export const headers: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(fixed)) c.header(name, value);
};

const fixed: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
