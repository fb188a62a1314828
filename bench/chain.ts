import type { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { linkSession } from "../src/store/lineage.ts";
import { openStore } from "../src/store/open.ts";
import { saveProject } from "../src/store/projects.ts";
import { getSession, saveSession } from "../src/store/sessions.ts";
import { below, seeded } from "./random.ts";
import type { Stage } from "./stage.ts";
import { cut, makePool } from "./text.ts";

const second = 1_000;

/**
 * Stores `turns` turns in a chain of `sessions` sessions, each of which continues the one before; the last one is
 * `last`. They have lines and short texts: what is told in full is newer and comes from a transcript.
 */
export function storeChain(stage: Stage, sessions: number, turns: number, last: string, endAt: number): void {
  using db = openStore(join(stage.data, "memory.db"));
  const random = seeded(1);
  const { prose } = makePool(random, 200_000);
  const each = turns / sessions;
  const startAt = endAt - turns * second;
  db.transaction(() => {
    const projectId = saveProject(db, realpathSync.native(stage.project), () => undefined, startAt);
    for (let n = 0, before: number | undefined; n < sessions; n++) {
      const at = startAt + n * each * second;
      const sessionId = n === sessions - 1 ? last : randomUUID();
      const session = saveSession(db, {
        sessionId,
        projectId,
        entrypoint: "cli",
        source: "clear",
        headless: false,
        at,
      });
      if (before !== undefined) linkSession(db, session, { session: getSession(db, before), reason: "exact" }, at);
      for (let k = 0; k < each; k++)
        storeTurn(db, session.id, k + 1, at + k * second, () => cut(random, prose, 80 + below(random, 240)));
      if (n < sessions - 1)
        db.query("update sessions set ended_at = active_at, end_reason = 'clear' where id = ?").run(session.id);
      before = session.id;
    }
  }).immediate();
}

function storeTurn(db: Database, sessionId: number, position: number, at: number, text: () => string): void {
  const uuid = randomUUID();
  const { lastInsertRowid: id } = db
    .query("insert into turns (uuid, started_at, zone_offset, state) values (?, ?, 0, 'open')")
    .run(uuid, at);
  db.query("insert into session_turns (session_id, position, turn_id) values (?, ?, ?)").run(sessionId, position, id);
  const say = db.query("insert into messages (turn_id, source_id, role, at, text) values (?, ?, ?, ?, ?)");
  say.run(id, uuid, "user", at, text());
  say.run(id, randomUUID(), "assistant", at + 1, text());
  db.query("insert into summaries (turn_id, text, model, created_at) values (?, ?, 'line', ?)").run(id, text(), at);
}

/** Forgets that a session was ever started. */
export function forgetSession(stage: Stage, sessionId: string): void {
  using db = openStore(join(stage.data, "memory.db"));
  db.query("delete from sessions where uuid = ?").run(sessionId);
  db.run("pragma wal_checkpoint(truncate)");
}
