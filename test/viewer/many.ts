import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "../../src/paths.ts";
import { saveDetails } from "../../src/store/details.ts";
import { openStore } from "../../src/store/open.ts";
import { seeded } from "../fixtures/random.ts";
import type { TempHome } from "../support/home.ts";
import { morning } from "./stage.ts";

const words =
  "the import locks table timeout session cache redirect branch merge 認証 設定 テスト build error path option value ".split(
    " ",
  );
const minute = 60_000;

/**
 * A store of ten projects with 10,000 turns each: in the first they are one session, in the others threads of 200 sessions
 * of 50. Written row by row: reading as many transcripts would take minutes.
 */
export function fillMany(home: TempHome): void {
  mkdirSync(join(home.folder, ".throughline"), { recursive: true, mode: 0o700 });
  using db = openStore(databaseFile(home.env()));
  const random = seeded(1);
  const text = (count: number) => Array.from({ length: count }, () => random.pick(words)).join(" ");
  let [turn, session] = [0, 0];
  db.run("begin");
  for (let project = 1; project <= 10; project += 1) {
    db.query("insert into projects (id, path, created_at) values (?, ?, 1)").run(project, `/home/mina/many/${project}`);
    const length = project === 1 ? 10_000 : 50;
    for (let n = 0; n < 10_000 / length; n += 1) {
      session += 1;
      const at = morning - (11 - project) * 20_000 * minute + n * length * minute;
      const id = `${`${session}`.padStart(8, "0")}-0000-4000-8000-000000000000`;
      const before = n === 0 ? null : session - 1;
      db.query(
        `insert into sessions (id, uuid, project_id, started_at, active_at, ended_at, source, predecessor_id, link_reason)
         values (?, ?, ?, ?, ?, ?, 'clear', ?, 'exact')`,
      ).run(session, id, project, at, at + length * minute, at + length * minute, before);
      for (let position = 1; position <= length; position += 1) {
        turn += 1;
        const then = at + position * 59_000;
        db.query(
          "insert into turns (id, uuid, started_at, zone_offset, state, context_tokens) values (?, ?, ?, 0, 'open', ?)",
        ).run(turn, `t${turn}`, then, 20_000 + ((position * 900) % 150_000));
        db.query("insert into session_turns (session_id, position, turn_id) values (?, ?, ?)").run(
          session,
          position,
          turn,
        );
        const say = db.query("insert into messages (turn_id, source_id, role, at, text) values (?, ?, ?, ?, ?)");
        say.run(turn, `t${turn}`, "user", then, `prompt ${turn} ${text(20)}`);
        say.run(
          turn,
          `a${turn}`,
          "assistant",
          then,
          `${text(60)}\n\n\`\`\`ts\nconst x = ${turn};\n\`\`\`\n\n${text(40)}`,
        );
        const [call, result] = [`u${turn}`, `u${turn}:result`];
        const input = {
          sourceId: call,
          kind: "tool_input" as const,
          tool: "Bash",
          at: then,
          input: '{"command":"ls"}',
        };
        saveDetails(
          db,
          turn,
          [input, { sourceId: result, kind: "tool_output", at: then, output: text(100) }],
          then,
          true,
        );
      }
    }
  }
  db.run("commit");
}
