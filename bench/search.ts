// Measures `throughline search`: `bun run bench:search [--turns N] [--json]`.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "../scripts/build.ts";
import { withCommas } from "../src/context/numbers.ts";
import { saveDetails } from "../src/store/details.ts";
import { openStore } from "../src/store/open.ts";
import { storeChain } from "./chain.ts";
import { type Call, compare, run } from "./measure.ts";
import { below, type Random, seeded } from "./random.ts";
import { describeMachine, renderTable } from "./report.ts";
import { type Stage, setStage } from "./stage.ts";
import { cut, makePool } from "./text.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "100000" },
    binary: { type: "string", default: join(import.meta.dir, "../dist/throughline") },
    json: { type: "boolean", default: false },
  },
});

const session = "00000000-0000-4000-8000-000000000001";
const hour = 3_600_000;
const toolText = 2_000;

/** Gives every turn what a tool printed, and returns how many bytes of text are stored in all. */
function addTools(stage: Stage): number {
  using db = openStore(join(stage.data, "memory.db"));
  const random = seeded(2);
  const { prose } = makePool(random, 2_000_000);
  const ids = db.query<{ id: number }, []>("select id from turns").all();
  let bytes = 0;
  db.transaction(() => {
    for (const { id } of ids) {
      const output = cut(random, prose, below(random, 2 * toolText));
      bytes += Buffer.byteLength(output);
      const detail = { sourceId: `t${id}:result`, kind: "tool_output" as const, at: 1, output };
      saveDetails(db, id, [detail], 1, true);
    }
  }).immediate();
  const said = (table: string) =>
    (db.query(`select sum(length(cast(text as blob))) as n from ${table}`).get() as { n: number }).n;
  return bytes + said("messages") + said("summaries");
}

/** What people and models look for: parts of texts that are there, a word or two that many have, what nobody said. */
function makeQueries(stage: Stage, random: Random): string[] {
  using db = new Database(join(stage.data, "memory.db"), { readonly: true });
  const texts = db.query<{ text: string }, []>("select text from messages where id % 997 = 0").all();
  const part = (length: number): string => {
    const text = (texts[below(random, texts.length)]?.text ?? "").replace(/["\s]+/g, " ");
    const at = below(random, Math.max(1, text.length - length));
    return `"${text.slice(at, at + length)}"`;
  };
  const parts = [2, 3, 5, 8, 12, 20, 40].flatMap((length) => Array.from({ length: 8 }, () => part(length)));
  return [
    ...parts,
    "timeout",
    "the",
    "cache retry",
    "認証",
    "設定 認証",
    "nowhere-to-be-found",
    "error -test",
    "src/store",
  ];
}

/** Adds what twenty more turns say, without the index. */
function addTurns(stage: Stage): void {
  using db = openStore(join(stage.data, "memory.db"));
  const { id } = db.query("select id from sessions where uuid = ?").get(session) as { id: number };
  const at = Date.now();
  db.transaction(() => {
    for (let n = 1; n <= 20; n += 1) {
      const uuid = crypto.randomUUID();
      const turn = db
        .query("insert into turns (uuid, started_at, zone_offset, state) values (?, ?, 0, 'open') returning id")
        .get(uuid, at + n) as { id: number };
      db.query("insert into session_turns (session_id, position, turn_id) values (?, ?, ?)").run(
        id,
        100_000 + n,
        turn.id,
      );
      const say = db.query("insert into messages (turn_id, source_id, role, at, text) values (?, ?, 'user', ?, ?)");
      say.run(turn.id, uuid, at + n, `a new word ${n} in a new turn`);
    }
    db.query("update sessions set texts_changed = random() where id = ?").run(id);
  }).immediate();
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const folder = mkdtempSync(join(tmpdir(), "throughline-empty-"));
using stage = setStage(values.binary);
try {
  writeFileSync(join(folder, "empty.ts"), "");
  await compile(join(folder, "empty.ts"), join(folder, "empty"));
  const turns = Number(values.turns);
  storeChain(stage, 500, turns, session, Date.now() - hour);
  const bytes = addTools(stage);
  const empty = stage.call([join(folder, "empty")]);
  const search = (words: string): Call => ({
    ...stage.call([values.binary, "search", "--all", "--json", "--", words]),
  });
  const scan = await run(search("nowhere-to-be-found"));
  const build = await run({
    ...stage.call([values.binary, "worker", "index"]),
    env: { ...empty.env, THROUGHLINE_WORKER: "1" },
  });
  const index = statSync(join(stage.data, "search.db")).size;
  const ratios: number[] = [];
  const walls: number[] = [];
  for (const query of makeQueries(stage, seeded(3))) {
    const { base, own } = await compare(
      3,
      () => run(empty),
      () => run(search(query)),
    );
    ratios.push(own.wall / base.wall);
    walls.push(own.wall);
  }
  const version = await compare(
    20,
    () => run(empty),
    () => run(stage.call([values.binary, "--version"])),
  );
  addTurns(stage);
  const fresh = await compare(
    1,
    () => run(empty),
    () => run(search('"new word 7"')),
  );
  for (const list of [ratios, walls]) list.sort((a, b) => a - b);
  const figures = {
    turns,
    text_bytes: bytes,
    index_bytes_per_text_byte: index / bytes,
    build_ms: build.wall,
    scan_ms: scan.wall,
    searches: ratios.length,
    p50: { ratio: at(ratios, 0.5), ms: at(walls, 0.5) },
    p95: { ratio: at(ratios, 0.95), ms: at(walls, 0.95) },
    after_20_turns: { ratio: fresh.own.wall / fresh.base.wall, ms: fresh.own.wall },
    any_command: { ratio: version.own.wall / version.base.wall, ms: version.own.wall },
  };
  const row = (name: string, { ratio, ms }: { ratio: number; ms: number }) => [
    name,
    `${ratio.toFixed(2)}×`,
    ms.toFixed(1),
  ];
  const text = [
    `${describeMachine().cpu}: ${withCommas(turns)} turns, ${(bytes / 1e6).toFixed(0)} MB of text, ${ratios.length} searches`,
    renderTable(
      ["", "empty program", "ms"],
      [
        row("search, median", figures.p50),
        row("search, 95 of 100", figures.p95),
        row("search, 20 turns later", figures.after_20_turns),
        row("any command at the least (--version)", figures.any_command),
      ],
    ),
    `without an index ${scan.wall.toFixed(0)} ms; the index takes ${(index / bytes).toFixed(3)} bytes a byte of text, made in ${(build.wall / 1_000).toFixed(1)} s`,
    "",
  ].join("\n");
  await Bun.write(Bun.stdout, values.json ? `${JSON.stringify(figures, null, 2)}\n` : text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
