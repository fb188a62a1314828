import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccess } from "../../src/viewer/access.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { fillHome, openViewer } from "./stage.ts";

let home: TempHome;
let viewer: ReturnType<typeof openViewer>;
beforeAll(() => {
  home = tempHome();
  fillHome(home);
  viewer = openViewer(home);
});
afterAll(() => home[Symbol.dispose]());

const paths = [
  "/",
  "/projects/1",
  "/sessions/1",
  "/sessions/1/turns?from=0",
  "/turns/1/tools",
  "/search?q=a",
  "/main.script.js",
];
const secret = () => viewer.access.secret;

describe("who is refused", () => {
  test.each<[string, Record<string, string>, number]>([
    ["no cookie", { cookie: "" }, 401],
    ["a wrong cookie", { cookie: "throughline-4321=x" }, 401],
    ["one of the right length", { cookie: `throughline-4321=${"x".repeat(32)}` }, 401],
    ["another viewer's", { cookie: "throughline-4322=SECRET" }, 401],
    ["a name that was made to point here (DNS rebinding)", { host: "evil.example:4321" }, 403],
    ["another port's host", { host: "127.0.0.1:4322" }, 403],
    ["no port", { host: "127.0.0.1" }, 403],
    ["this machine by another name", { host: "[::1]:4321" }, 403],
    ["another page", { origin: "https://evil.example" }, 403],
    ["a page of another port", { origin: "http://127.0.0.1:8080" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["the same place over TLS", { origin: "https://127.0.0.1:4321" }, 403],
    ["what another site's page embeds", { "sec-fetch-site": "cross-site" }, 403],
    ["what another port's page embeds", { "sec-fetch-site": "same-site" }, 403],
  ])("%s", async (_, headers, status) => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("SECRET", secret())]),
    );
    for (const path of paths) {
      const answer = await viewer.ask(path, { headers: given });
      expect([path, answer.status]).toEqual([path, status]);
      expect(await answer.text()).not.toContain("/home/mina");
    }
  });

  test.each(["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "%s, even by the person's own browser",
    async (method) => {
      for (const path of paths) {
        const answer = await viewer.ask(path, { method });
        expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, "GET"]);
      }
    },
  );

  test("a token that is wrong, whatever else is right", async () => {
    for (const token of ["", "x", "x".repeat(32), `${viewer.access.token}x`]) {
      const answer = await viewer.ask(`/?token=${encodeURIComponent(token)}`, { headers: { cookie: "" } });
      expect([token, answer.status, answer.headers.get("set-cookie")]).toEqual([token, 401, null]);
    }
  });
});

describe("who is let in", () => {
  test("with the printed address, as often as they like; the cookie is for no script and no other site", async () => {
    for (let n = 0; n < 2; n += 1) {
      const answer = await viewer.ask(`/?token=${viewer.access.token}`, { headers: { cookie: "" } });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
      expect(answer.headers.get("set-cookie")).toBe(`throughline-4321=${secret()}; Path=/; HttpOnly; SameSite=Strict`);
      expect(answer.headers.get("set-cookie")).not.toContain(viewer.access.token);
    }
  });

  test("with the address that the opened browser was given, once", async () => {
    const path = `/?token=${viewer.access.once}`;
    const statuses = [];
    for (let n = 0; n < 2; n += 1) statuses.push((await viewer.ask(path, { headers: { cookie: "" } })).status);
    expect(statuses).toEqual([303, 401]);
  });

  test("by either name of this machine", async () => {
    const headers = { host: "localhost:4321", origin: "http://localhost:4321", "sec-fetch-site": "same-origin" };
    expect((await viewer.ask("/", { headers })).status).toBe(200);
  });

  test("every viewer has keys of its own", () => {
    const keys = [createAccess(1), createAccess(1)].flatMap(({ token, once, secret }) => [token, once, secret]);
    expect(new Set(keys).size).toBe(6);
    for (const key of keys) expect(key).toMatch(/^[\w-]{32}$/);
  });
});

test("every answer keeps to itself: nothing from elsewhere, nothing that is not a file of ours, nothing kept", async () => {
  const asked = [
    ...paths.map((path) => [path, {}] as const),
    ["/nowhere", {}],
    ["/", { headers: { cookie: "" } }],
  ] as const;
  for (const [path, init] of asked) {
    const { headers } = await viewer.ask(path, init);
    expect(headers.get("content-security-policy")).toMatchInlineSnapshot(
      `"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"`,
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test.each([
  "/../memory.db",
  "/..%2fmemory.db",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/main.script.js/../../memory.db",
  "//etc/passwd",
  "/.throughline/memory.db",
  "/browser/main.script.js",
  "/sessions/1/../../memory.db",
  "/sessions/1%00",
  "/sessions/-1",
  "/sessions/1e3",
  "/sessions/999999999999999999999999",
  "/sessions/4711",
  "/projects/4711",
  "/turns/4711",
  "/turns/4711/tools",
  "/turns/%3Cscript%3E",
])("%s is nothing here", async (path) => {
  const answer = await viewer.ask(path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toMatch(/SQLite|root:|<script>/);
});
