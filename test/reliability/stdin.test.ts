import { expect, test } from "bun:test";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, varsOf } from "../support/ran.ts";
import { type Scene, session, setScene } from "./scene.ts";

const eventOf = (scene: Scene, more: object = {}): string =>
  JSON.stringify({
    session_id: session,
    transcript_path: scene.file,
    cwd: scene.home.project,
    hook_event_name: "Stop",
    ...more,
  });

function stop(scene: Scene, shell: string): { code: number; stderr: string; milliseconds: number } {
  const started = performance.now();
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", shell], {
    cwd: scene.home.folder,
    env: {
      ...varsOf(scene.home),
      CLAUDE_CODE_SESSION_ATTENDED: "1",
      CLAUDE_PROJECT_DIR: scene.home.project,
      T: binary,
    },
    stdin: "ignore",
  });
  return { code: exitCode, stderr: stderr.toString(), milliseconds: performance.now() - started };
}

/** How the event comes, as a shell has it. */
const ways: readonly [string, string][] = [
  ["a file", `"$T" hook stop < event`],
  ["a pipe", `cat event | "$T" hook stop`],
  ["a pipe in small pieces", `(head -c 20 event; sleep 0.2; tail -c +21 event) | "$T" hook stop`],
  ["a pipe that is never closed", `(cat event; sleep 3) | "$T" hook stop & wait $!`],
  ["a file that is open for writing too", `"$T" hook stop 0<> event`],
];

test.each(ways)("%s", (_, shell) => {
  using scene = setScene(2);
  writeFileSync(join(scene.home.folder, "event"), eventOf(scene));
  expect(stop(scene, shell)).toMatchObject({ code: 0, stderr: "" });
  expect(scene.stored()).toContain("prompt 1");
});

test("a socket", async () => {
  using scene = setScene(2);
  const child = scene.start(["hook", "stop"]); // what Bun gives a child
  expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
  expect(scene.stored()).toContain("prompt 1");
});

test.each([
  ["closed", `"$T" hook stop <&-`],
  ["/dev/null", `"$T" hook stop < /dev/null`],
  ["a folder", `"$T" hook stop < .`],
])("%s: nobody says anything, and nothing is done", (_, shell) => {
  using scene = setScene(2);
  expect(stop(scene, shell)).toMatchObject({ code: 0, stderr: "" });
});

test.each([
  ["a pipe with nothing in it, never closed", `sleep 3 | "$T" hook stop & wait $!`],
  ["half of a JSON value, never closed", `(head -c 20 event; sleep 3) | "$T" hook stop & wait $!`],
])("%s: one line, within the second's patience", (_, shell) => {
  using scene = setScene(2);
  writeFileSync(join(scene.home.folder, "event"), eventOf(scene));
  const { code, stderr } = stop(scene, shell);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^throughline hook stop: [^\n]+\n$/);
});

test("a terminal that nobody types on: one line, within the second's patience", async () => {
  using scene = setScene(2);
  let said = "";
  const child = Bun.spawn([binary, "hook", "stop"], {
    cwd: scene.home.project,
    env: { ...varsOf(scene.home), CLAUDE_CODE_SESSION_ATTENDED: "1" },
    terminal: {
      cols: 200,
      rows: 10,
      data: (_, bytes) => {
        said += new TextDecoder().decode(bytes);
      },
    },
  });
  expect(await child.exited).toBe(1);
  await Bun.sleep(50);
  expect(said).toContain("throughline hook stop: stdin was neither closed nor a whole JSON value");
  child.terminal?.close();
});

test("100 MB: read to the end, the event is dealt with", () => {
  using scene = setScene(2);
  const file = join(scene.home.folder, "event");
  writeFileSync(file, eventOf(scene, { last_assistant_message: "", padding: "x".repeat(100_000_000) }));
  const fd = openSync(file, "r");
  closeSync(fd);
  expect(stop(scene, `"$T" hook stop < event`)).toMatchObject({ code: 0, stderr: "" });
  expect(scene.stored()).toContain("prompt 1");
}, 60_000);
