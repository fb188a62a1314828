import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate, migrations } from "../../src/store/migrate.ts";
import { openStore, openStoreReadonly } from "../../src/store/open.ts";
import { tempHome } from "../support/home.ts";

test("a new store is private, in WAL, and leaves no draft", () => {
  using home = tempHome();
  const file = join(home.folder, "data/memory.db");
  {
    using db = openStore(file);
    expect(db.query("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(db.query("pragma foreign_keys").get()).toEqual({ foreign_keys: 1 });
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(home.folder, "data")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(home.folder, "data"))).toEqual(["memory.db"]);
});

test("a store of a newer version is refused and not harmed", () => {
  using home = tempHome();
  const file = join(home.folder, "memory.db");
  openStore(file).close();
  const newer = new Database(file);
  newer.run("pragma user_version = 999");
  newer.close();
  expect(() => openStore(file)).toThrow(/schema 999, written by a newer Throughline/);
  using again = new Database(file, { readonly: true });
  expect(again.query("pragma user_version").get()).toEqual({ user_version: 999 });
});

test("a file that is no database is refused and left as it is", async () => {
  using home = tempHome();
  const file = join(home.folder, "memory.db");
  writeFileSync(file, "not a database, but somebody's text".repeat(100));
  expect(() => openStore(file)).toThrow(/not a database/);
  expect(await Bun.file(file).text()).toStartWith("not a database");
});

test("a failing migration changes nothing and is tried again", () => {
  using db = new Database(":memory:", { strict: true });
  const broken = [...migrations, "create table extra (a); create table projects (b)"];
  expect(() => migrate(db, broken)).toThrow(/already exists/);
  expect(db.query("select count(*) as n from sqlite_master").get()).toEqual({ n: 0 });
  expect(db.query("pragma user_version").get()).toEqual({ user_version: 0 });
  migrate(db);
  expect(db.query("pragma user_version").get()).toEqual({ user_version: migrations.length });
});

test("every table is strict", () => {
  using db = openStore(":memory:");
  const loose = db
    .query(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and strict = 0 and name not like 'sqlite_%'",
    )
    .all();
  expect(loose).toEqual([]);
});

test("reading needs no store and no right to write", () => {
  using home = tempHome();
  expect(openStoreReadonly(join(home.folder, "none.db"))).toBeUndefined();
  const folder = join(home.folder, "data");
  mkdirSync(folder);
  openStore(join(folder, "memory.db")).close();
  chmodSync(join(folder, "memory.db"), 0o400);
  using db = openStoreReadonly(join(folder, "memory.db"));
  expect(db?.query("select count(*) as n from turns").get()).toEqual({ n: 0 });
});

test("the schema", () => {
  using db = openStore(":memory:");
  const tables = db
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
    )
    .all()
    .map(
      ({ name }) =>
        `${name}: ${db
          .query<{ name: string }, [string]>("select name from pragma_table_info(?)")
          .all(name)
          .map((column) => column.name)
          .join(", ")}`,
    );
  expect(tables).toMatchInlineSnapshot(`
    [
      "attempts: turn_id, tries, reason, retry_at",
      "checkpoints: session_id, path, file_id, offset, tail, reading, skipped, read_at",
      "clients: client, session_id, served_at, ended_at",
      "detail_packs: id, turn_id, source_ids, tools, copied, details",
      "due: session_id, marked_at, urgent",
      "failures: id, at, event, session_uuid, message, shown_at",
      "forgotten: name, from_at, until_at",
      "injections: session_id, part, text, first_at, pid, emitted_at",
      "lacking_options: client, option",
      "messages: id, turn_id, source_id, role, at, text, copied",
      "notices: name, told_at",
      "projects: id, path, git_common_dir, created_at, fresh_at",
      "restores: session_id, leader_pid, started_at, finished_at, outcome, parts, full_turns, line_turns, characters, replaced_tokens, notice",
      "runs: id, started_at, model, turns, kept, input_tokens, output_tokens, cost_usd, milliseconds, outcome, message",
      "session_turns: session_id, position, turn_id, parent_uuid, lead, left_at",
      "sessions: id, uuid, project_id, transcript_path, entrypoint, headless, source, started_at, active_at, ended_at, end_reason, predecessor_id, link_reason, linked_at, inherited_until, fresh_at, inherited_turns, inherited_since, texts_changed",
      "summaries: turn_id, text, model, created_at",
      "turn_aliases: uuid, turn_id",
      "turns: id, uuid, copied, started_at, zone_offset, state, cwd, model, context_tokens",
      "worker: id, holder, pid, deadline, paused_until, pause_reason, pause_detail, pause_told_at",
    ]
  `);
});
