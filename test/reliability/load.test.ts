import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, varsOf } from "../support/ran.ts";
import { conversation, type Scene, setScene } from "./scene.ts";

const hooks = 64;

/** So many sessions of two turns each, and the hooks of all of them at once. */
async function stopAll(scene: Scene, round: number): Promise<number[]> {
  const folder = join(scene.home.folder, ".claude/projects/p");
  const ids = Array.from({ length: hooks }, (_, n) => `${`${n}`.padStart(8, "0")}-0000-4000-8000-000000000001`);
  for (const [n, id] of ids.entries()) {
    const text = conversation(2, `r${round}s${n}-`, id).replaceAll("/home/dev/project", scene.home.project);
    appendFileSync(join(folder, `${id}.jsonl`), text);
  }
  return await Promise.all(
    ids.map(async (id) => {
      const started = performance.now();
      const event = {
        session_id: id,
        transcript_path: join(folder, `${id}.jsonl`),
        cwd: scene.home.project,
        hook_event_name: "Stop",
      };
      const child = Bun.spawn([binary, "hook", "stop"], {
        cwd: scene.home.project,
        env: { ...varsOf(scene.home), CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_PROJECT_DIR: scene.home.project },
        stdin: new Blob([JSON.stringify(event)]),
        stdout: "pipe",
        stderr: "pipe",
      });
      expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
      return performance.now() - started;
    }),
  );
}

test(`${hooks} hooks at once on an empty home, and again on a full one beside an import: no turn is lost, none fails`, async () => {
  using scene = setScene(3);
  const empty = await stopAll(scene, 0);
  const old = join(scene.home.folder, "old");
  mkdirSync(old);
  const size = Number(process.env.LOAD_MB ?? 20);
  for (let n = 0; n < size; n += 1) {
    const id = `${`${n}`.padStart(8, "a")}-0000-4000-8000-000000000002`;
    writeFileSync(
      join(old, `${id}.jsonl`),
      conversation(700, `i${n}-`, id).replaceAll("/home/dev/project", scene.home.project),
    );
  }
  const importing = scene.run(["import", "--yes", old]);
  await Bun.sleep(200);
  const full = await stopAll(scene, 1);
  const imported = await importing;
  expect([imported.code, imported.stderr.includes("Would")]).toEqual([0, false]);
  const stored = scene.stored();
  for (let n = 0; n < hooks; n += 1) {
    for (const round of [0, 1]) expect(stored).toContain(`r${round}s${n}-`);
  }
  expect(stored.match(/ user prompt /g)?.length).toBe(hooks * 4 + size * 700);
  const worst = (times: number[]) => `${Math.round(Math.max(...times))} ms`;
  process.stdout.write(
    `${hooks} Stops at once: the last one after ${worst(empty)} on an empty home, ${worst(full)} beside an import\n`,
  );
}, 300_000);
