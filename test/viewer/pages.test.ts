import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "../../src/paths.ts";
import { openStore } from "../../src/store/open.ts";
import { bidiSigns, terminalSigns } from "../hostile/values.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { ingestText, makeSession } from "../support/store.ts";
import { fillHome, morning, openViewer, transcriptOf } from "./stage.ts";

let home: TempHome;
let viewer: ReturnType<typeof openViewer>;
beforeAll(() => {
  home = tempHome();
  fillHome(home);
  viewer = openViewer(home);
});
afterAll(() => home[Symbol.dispose]());

/** What a page says, without its tags. */
const textOf = (html: string): string =>
  html
    .slice(html.indexOf("<main"), html.indexOf("</main>"))
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ")
    .trim();

describe("projects", () => {
  test("the one that was talked in last comes first, with what is stored of it, and what lines cost", async () => {
    const text = textOf(await viewer.read("/"));
    expect(text.split("As a table")[0]).toMatchInlineSnapshot(
      `"Projects 37 turns of 3 projects links /home/mina/code/links 30 turns · 6 sessions · 2 hours ago 認証サーバー /home/mina/code/認証サーバー 3 turns · 2 sessions · 8 hours ago dotfiles /home/mina/dotfiles 4 turns · 1 session · 12 days ago What lines cost $0.184 for 97 lines in 30 days $0.019 2026-11-12: $0.009, 5 lines 2026-11-13: $0.017, 9 lines 2026-11-14: $0.004, 2 lines 2026-11-15: $0.011, 6 lines 2026-11-16: $0.019, 10 lines 2026-11-17: $0.006, 3 lines 2026-11-18: $0.013, 7 lines 2026-11-20: $0.008, 4 lines 2026-11-21: $0.015, 8 lines 2026-11-22: $0.002, 1 line 2026-11-23: $0.009, 5 lines 2026-11-24: $0.017, 9 lines 2026-11-25: $0.004, 2 lines 2026-11-26: $0.011, 6 lines 2026-11-27: $0.019, 10 lines 2026-11-28: $0.006, 3 lines 2026-11-29: $0.013, 7 lines 2026-11-01 2026-11-30 "`,
    );
  });

  test("a day's spend is a bar as tall as it cost", async () => {
    const html = await viewer.read("/");
    const heights = [...html.matchAll(/<rect class="of-said"[^>]* height="([\d.]+)"/g)].map((found) =>
      Number(found[1]),
    );
    expect(heights.length).toBe(17);
    expect(Math.max(...heights)).toBe(40);
    expect(html).toContain("<title>2026-11-29: $0.013, 7 lines</title>");
  });
});

describe("a project", () => {
  test("its threads are trees: a clear goes on, a second successor is a fork", async () => {
    const text = textOf(await viewer.read("/projects/1"));
    expect(text.split("Restored, instead")[0]).toMatchInlineSnapshot(
      `"links /home/mina/code/links 2026-11-26 – 2026-11-30 · 5 sessions · 28 turns start Why does the build fail since yesterday? 2026-11-26 08:00 · 9 turns /clear · same window Good. Add that as an integration test. 2026-11-27 08:00 · 8 turns told 9 in full new window · a guess Which idle timeout do we have, and where? 2026-11-30 09:00 · 3 turns told 17 in full /clear · same window Is the statistics page still readable on a phone? 2026-11-30 08:00 · 5 turns told 17 in full /clear · same window Tag it 1.4.0 and write the changelog. 2026-11-30 12:00 · 3 turns told 20 in full, 2 as lines 2026-11-29 · 1 session · 2 turns start Try it. 2026-11-29 02:00 · 2 turns "`,
    );
    const html = await viewer.read("/projects/1");
    expect(html.match(/<ol class="rail">/g)?.length).toBe(3);
  });

  test("what restores put in is drawn within what they replaced", async () => {
    const text = textOf(await viewer.read("/projects/1"));
    expect(text).toMatch(/≈[\d,]+ tokens instead of [\d,]+ restored replaced/);
  });

  test("more sessions than are shown at first are a link away", async () => {
    expect(await viewer.read("/projects/1?limit=2")).toContain('href="/projects/1?limit=8"');
    expect(await viewer.read("/projects/1")).not.toContain("Older sessions");
  });
});

describe("a conversation", () => {
  test("goes back over clears, with where each session begins and what it was told", async () => {
    const text = textOf(await viewer.read("/sessions/3"));
    expect(text).toContain("22 turns, 2026-11-26 08:01 – 2026-11-30 08:17");
    expect(text).toContain("/clear · cccccccc · told 17 in full");
  });

  test("opens at the newest turn; the stretches before it wait", async () => {
    const html = await viewer.read("/sessions/3");
    expect(html.match(/<article/g)?.length).toBe(6);
    expect(html).toContain('data-src="/sessions/3/turns?from=0"');
    const first = await viewer.read("/sessions/3/turns?from=0");
    expect(first.match(/<article/g)?.length).toBe(16);
    expect(first).toStartWith('<p class="border">');
  });

  test("has the line (L1) beside the words (L2), and the tool traffic (L3) folded, to be fetched", async () => {
    const html = await viewer.read("/sessions/1?turn=1");
    expect(html).toContain(
      '<p class="line" dir="auto">Asked: Why does the build fail since yesterday? Done; the tests pass.</p>',
    );
    expect(html).toContain('<details class="tools" data-src="/turns/1/tools">');
    expect(html).not.toContain("Compiling");
    expect(await viewer.read("/turns/1/tools")).toContain("Compiling");
  });

  test("a turn's own address leads to where it is", async () => {
    const answer = await viewer.ask("/turns/1");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sessions/1?turn=1"]);
  });
});

describe("what Claude is told", () => {
  test("is what preview prints, with what is in it and what it replaces", async () => {
    const text = textOf(await viewer.read("/sessions/3/told"));
    expect(text).toMatch(/in full 20 turns as lines 2 turns tokens, about [\d,]+ instead of 27,107/);
    expect(text).toContain("Part 1 of 1");
    expect(text).toContain("08:01:00 Asked: Why does the build fail since yesterday? Done; the tests pass.");
  });

  test("a session that was told something shows what, at its start", async () => {
    expect(textOf(await viewer.read("/sessions/3/told?at=start"))).toContain("It continues session bbbbbbbb");
    expect(textOf(await viewer.read("/sessions/1/told?at=start"))).toContain("It was told nothing");
  });

  test("where the client would cut, and what was left out, can be seen", async () => {
    using own = tempHome();
    const file = databaseFile(own.env());
    const db = openStore(file);
    const session = makeSession(db, "long", { at: morning });
    const exchanges = Array.from(
      { length: 30 },
      (_, n) => [`question ${n}`, [], `answer ${n} ${"word ".repeat(2_000)}`] as const,
    );
    ingestText(db, session, own.folder, transcriptOf("long", morning, exchanges));
    db.close();
    const html = await openViewer(own).read("/sessions/1/told");
    expect(html.match(/<section class="part"/g)?.length).toBe(8);
    expect(html.match(/class="cut"/g)?.length).toBe(7);
    expect(html.match(/<mark class="left-out">\[… [\d,]+ characters left out here/g)?.length).toBeGreaterThan(5);
  });
});

describe("figures", () => {
  test("what filled the context, by layer, as an area each and as a table", async () => {
    const html = await viewer.read("/sessions/1/figures");
    expect([...html.matchAll(/<polygon class="(\S+)"/g)].map(([, of]) => of)).toEqual([
      "of-rest",
      "of-tools",
      "of-said",
    ]);
    expect(html.match(/<tr>/g)?.length).toBe(10);
  });
});

describe("search", () => {
  test("finds what the command finds, with the hits marked", async () => {
    const html = await viewer.read("/search?q=timeout&only=hits&project=1");
    expect(html).toStartWith('<p class="facts">6 turns</p>');
    expect(html).toContain("Which idle <mark>timeout</mark> do we have, and where?");
    expect(await viewer.read("/search?q=認証&only=hits")).toContain("<mark>認証</mark>");
    expect(await viewer.read("/search?q=timeout+-idle+zebra&only=hits")).toContain("No turn has timeout -idle zebra.");
  });

  test("is a page too, for whoever has no script", async () => {
    expect(await viewer.read("/search?q=timeout")).toContain('<input type="search" name="q" value="timeout"');
  });
});

describe("whatever is stored is text", () => {
  const evil = `<script>alert(1)</script><img src=x onerror=alert(1)>"'><b>&amp; [click](javascript:alert(1)) ![x](http://127.0.0.1:1/p.png) \`\`\`${[...terminalSigns, ...bidiSigns].join("")}\ue000<i>\ue001`;

  test("no tag, no handler, no address of it comes out, on any page", async () => {
    using own = tempHome();
    const db = openStore(databaseFile(own.env()));
    const session = makeSession(db, `${evil}`, { at: morning, project: `/home/${evil}` });
    writeFileSync(join(own.folder, "t.jsonl"), "");
    const transcript = transcriptOf("x", morning, [
      [evil, [[evil, { [evil]: evil, command: evil }, evil]], evil],
      [`more ${evil}`, [], evil],
    ]);
    ingestText(db, { ...session, sessionId: "x" }, own.folder, transcript);
    db.run(
      "insert into summaries select id, (select text from messages where turn_id = turns.id limit 1), 'm', 0 from turns",
    );
    db.run("update sessions set source = (select text from messages limit 1)");
    db.run("insert into restores (session_id, leader_pid, started_at, outcome) select id, 1, 1, source from sessions");
    db.close();
    const hostile = openViewer(own);
    const q = encodeURIComponent(evil);
    const paths = [
      "/",
      "/projects/1",
      "/sessions/1",
      "/sessions/1/turns?from=0",
      "/sessions/1/told",
      "/sessions/1/told?at=start",
    ];
    let told = 0;
    for (const path of [
      ...paths,
      "/sessions/1/figures",
      "/turns/1/tools",
      `/search?q=${q}`,
      "/search?q=alert",
      `/search?q=alert&only=hits`,
    ]) {
      const answer = await hostile.ask(path);
      const html = await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
      const found =
        /<script>|<img|<b>&amp;|<i>\ue001|onerror=alert\(1\)>|href="javascript|src="http|\sstyle=|[\u202a-\u202e\u2066-\u2069\u001b\u009b]/i.exec(
          html,
        );
      expect([path, found?.[0]]).toEqual([path, undefined]);
      told += Number(html.includes("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }
    expect(told).toBeGreaterThan(6);
  });
});

describe("when there is no store, or not the one that was", () => {
  test("a page says so", async () => {
    using own = tempHome();
    fillHome(own);
    const gone = openViewer(own);
    expect((await gone.ask("/")).status).toBe(200);
    for (const end of ["", "-wal", "-shm"]) rmSync(`${databaseFile(own.env())}${end}`, { force: true });
    const answer = await gone.ask("/");
    expect([answer.status, textOf(await answer.text())]).toEqual([500, "Not here nothing is stored yet."]);
  });

  test("nothing is changed by looking", async () => {
    const db = viewer.open();
    const before = db.query("select total_changes()").get();
    for (const path of ["/", "/projects/1", "/sessions/3/told", "/sessions/3/figures", "/search?q=a"])
      await viewer.read(path);
    expect(db.query("select total_changes()").get()).toEqual(before);
    expect(() => db.run("delete from turns")).toThrow("readonly");
    db.close();
  });
});
