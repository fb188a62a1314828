import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { makeHistory } from "../../bench/history.ts";
import { measurePeak } from "../../bench/peak.ts";
import stop from "../../src/hooks/stop.ts";
import { readDetails } from "../../src/store/details.ts";
import { readMessages } from "../../src/store/messages.ts";
import { openStore } from "../../src/store/open.ts";
import { Window } from "../support/claude.ts";
import { openFile } from "../support/exported.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { binary, varsOf } from "../support/ran.ts";

/** Megabytes of transcripts: `IMPORT_MB=1000 bun test --timeout 1800000 test/imports/large.test.ts` */
const size = Number(process.env.IMPORT_MB ?? 4);
const written = "00000000-0000-4000-8000-000000000000";
const turnsOfSessions = [1, 1, 2, 1, 4, 1, 8, 2, 1, 3, 1, 14];

/** Windows one after the other, each turn written by the client and then reported by Stop. */
async function live(home: TempHome): Promise<number> {
  const history = makeHistory(1, written, home.project, Window.clock - 86_400_000);
  let bytes = 0;
  for (let n = 0; bytes < size * 1e6; n += 1) {
    const window = new Window(home, 100 + n);
    await window.start(`00000000-0000-4000-8000-${`${n + 1}`.padStart(12, "0")}`, "startup");
    for (let turn = 0; turn < (turnsOfSessions[n % turnsOfSessions.length] ?? 1); turn += 1) {
      const text = history.turn().replaceAll(written, window.session);
      appendFileSync(window.file, text);
      bytes += Buffer.byteLength(text);
      await stop(window.env(), window.event("Stop"), []);
    }
    await window.end("other");
  }
  return bytes;
}

/** What a store holds, turn by turn: the turn, where it is listed, and a fingerprint of all that was said and done. */
const contents = (db: Database): string[] =>
  db
    .query<{ id: number; turn: string }, []>(
      `select turns.id, sessions.uuid || ' ' || position || ' ' || turns.uuid || ' ' || turns.started_at || ' ' || state || ' ' || (left_at is null) as turn
       from session_turns join sessions on sessions.id = session_id join turns on turns.id = turn_id order by turn`,
    )
    .all()
    .map(({ id, turn }) => `${turn} ${Bun.hash(JSON.stringify([readMessages(db, id), readDetails(db, id)]))}`);

test(`${size} MB imported by command are the store that hooks captured live`, async () => {
  using home = tempHome();
  await live(home);
  const folder = join(home.folder, "elsewhere");
  const peak = await measurePeak({
    command: [binary, "import", "--yes", home.folder],
    cwd: home.project,
    env: { ...varsOf(home), THROUGHLINE_HOME: folder },
    stdin: "",
  });
  using captured = openFile(home);
  using imported = openStore(join(folder, "memory.db"));
  const expected = contents(captured);
  expect(expected.length).toBeGreaterThan(size);
  expect(contents(imported)).toEqual(expected);
  expect(peak).toBeLessThan(250e6);
});
