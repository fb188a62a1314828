// Tries an archive on this machine, in a home of its own: install → hook → detail → uninstall. What a release must pass
// on every platform that it is made for.
//   bun scripts/try.ts ARCHIVE [PROGRAM THAT RUNS IT …]      for instance: … qemu-aarch64 -L /usr/aarch64-linux-gnu
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [archive = "", ...runner] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "throughline try it's 記憶 "));
const home = join(folder, "home");
const project = join(folder, "project");

const isWine = process.platform === "linux" && archive.endsWith(".zip");
/** The path as the program knows it. */
const seen = (path: string): string => (isWine ? `Z:${path.replaceAll("/", "\\")}` : path);
// Wine takes a person's home from nowhere but its own folder.
const vars = isWine ? { THROUGHLINE_HOME: seen(join(home, ".throughline")) } : {};

interface Ran {
  stdout: string;
  stderr: string;
  code: number;
}

function run(command: string[], stdin = "", extra: Record<string, string> = {}): Ran {
  // Of what Bun hands over as stdin Wine makes nothing; a pipe, as the client has it, it knows.
  const piped = isWine && stdin !== "" ? ["sh", "-c", 'cat | "$@"', "sh", ...command] : command;
  const { stdout, stderr, exitCode } = Bun.spawnSync(piped, {
    cwd: project,
    env: { ...process.env, HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: seen(project), ...vars, ...extra },
    stdin: Buffer.from(stdin),
  });
  return { stdout: stdout.toString(), stderr: stderr.toString(), code: exitCode };
}

function must(what: string, isSo: boolean, ran: Ran): void {
  if (!isSo) throw new Error(`${what}:\n${JSON.stringify(ran, null, 2)}`);
  process.stdout.write(`${what}\n`);
}

const lines = (session: string): string => {
  const at = (second: number) => ({
    timestamp: `2026-11-30T14:23:0${second}.000Z`,
    sessionId: session,
    cwd: seen(project),
  });
  const prompt = {
    type: "user",
    uuid: "a",
    parentUuid: null,
    message: { role: "user", content: "does it work here?" },
  };
  const text = [{ type: "text", text: "It does." }];
  const answer = {
    type: "assistant",
    uuid: "b",
    parentUuid: "a",
    message: { id: "m", role: "assistant", content: text },
  };
  return `${JSON.stringify({ ...prompt, ...at(1) })}\n${JSON.stringify({ ...answer, ...at(2) })}\n`;
};

try {
  for (const made of [home, project]) mkdirSync(made);
  const unpack = isWine ? ["unzip", "-q", resolve(archive)] : ["tar", "-xf", resolve(archive)];
  const unpacked = run(unpack);
  must("unpacked", unpacked.code === 0, unpacked);
  const name = readdirSync(project, { recursive: true, encoding: "utf8" }).find((file) =>
    /throughline(\.exe)?$/.test(file),
  );
  const program = [...runner, join(project, name ?? "")];

  const installed = run([...program, "install", "--yes"]);
  const isRegistered = installed.code === 0;
  must(
    isRegistered ? "installed" : "installed, but for what to type",
    isRegistered || /type this for the rest/.test(installed.stderr),
    installed,
  );
  const placed = [
    ...runner,
    join(
      home,
      ".throughline/bin",
      process.platform === "win32" || name?.endsWith(".exe") ? "throughline.exe" : "throughline",
    ),
  ];
  const again = run([...placed, "install", "--yes", "--dry-run"]);
  must("installed once", again.code === 0 && !again.stdout.includes("put here"), again);

  const transcript = join(home, "11111111-0000-4000-8000-000000000001.jsonl");
  await Bun.write(transcript, lines("11111111-0000-4000-8000-000000000001"));
  const event = {
    session_id: "11111111-0000-4000-8000-000000000001",
    transcript_path: seen(transcript),
    cwd: seen(project),
    hook_event_name: "Stop",
  };
  const attended = { CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_CODE_ENTRYPOINT: "cli", TZ: "UTC" };
  const stop = run([...placed, "hook", "stop"], JSON.stringify(event), attended);
  must("hook", stop.code === 0, stop);
  const detail = run([...placed, "detail", "14:23:01"], "", { TZ: "UTC" });
  must("detail", detail.stdout.includes("It does."), detail);
  const removed = run([...placed, "uninstall", "--yes", "--purge"]);
  must("uninstalled", removed.code === 0 || /type this for the rest/.test(removed.stderr), removed);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
