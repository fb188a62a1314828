import { expect, test } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { changeConfig } from "../../src/commands/config-file.ts";
import { Window } from "../support/claude.ts";
import { openFile } from "../support/exported.ts";
import { tempHome } from "../support/home.ts";
import { exportLines, importPaths } from "../support/imported.ts";

test("what was said while a project was off comes back by no import, neither of the client's folder nor of an archive", async () => {
  using home = tempHome();
  const window = new Window(home, 100);
  const switchTo = (capture: string | undefined) => changeConfig(home.env(), home.project, { capture });
  switchTo("off");
  await window.start("s0", "startup");
  await window.turn("hidden: a session as a whole");
  await window.end("other");
  const files = [window.file];
  switchTo(undefined);
  await window.start("s1", "startup");
  await window.turn("before");
  switchTo("off");
  await window.turn("hidden: within a session");
  switchTo(undefined);
  await window.turn("after");
  await window.end("other");
  files.push(window.file);

  using db = openFile(home);
  const turns = () => exportLines(db).filter((line) => line.startsWith('{"type":"turn"'));
  const stored = turns();
  expect(stored).toHaveLength(2);
  expect(stored.join("\n")).toContain("before");
  expect(stored.join("\n")).not.toContain("hidden");
  expect(await importPaths(db, home, home.folder)).toMatchObject({ newSessions: 0, newTurns: 0 });
  expect(turns()).toEqual(stored);

  const archive = join(home.folder, "elsewhere");
  mkdirSync(archive);
  for (const file of files) renameSync(file, join(archive, basename(file)));
  const again = await importPaths(db, home, archive);
  expect(again).toMatchObject({ newSessions: 0, newTurns: 0 });
  expect(again.skipped.get("said while it was off")).toBeGreaterThan(0);
  expect(turns()).toEqual(stored);
});
