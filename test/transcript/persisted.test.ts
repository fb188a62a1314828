import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPersisted } from "../../src/transcript/persisted.ts";
import { tempHome } from "../support/home.ts";

/** A projects folder with a transcript's place in it, and a file that is no tool's output. */
function projectsIn(folder: string) {
  const project = join(folder, "projects/p");
  const results = join(project, "s1/tool-results");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  return { transcript: join(project, "s1.jsonl"), results, secret: join(folder, "secret.txt") };
}

test("an output's file is read whole, that of a session which was copied on too", () => {
  using home = tempHome();
  const { transcript, results } = projectsIn(home.folder);
  writeFileSync(join(results, "b1.txt"), "認証\n".repeat(20_000));
  expect(readPersisted(transcript, join(results, "b1.txt"))).toBe("認証\n".repeat(20_000));
  expect(readPersisted(join(dirname(transcript), "s2.jsonl"), join(results, "b1.txt"))).toStartWith("認証");
});

test("of a very large one both ends are kept and what is left out is said", () => {
  using home = tempHome();
  const { transcript, results } = projectsIn(home.folder);
  writeFileSync(join(results, "b1.txt"), `begin${"x".repeat(9_000_000)}end`);
  const text = readPersisted(transcript, join(results, "b1.txt")) as string;
  expect(text).toStartWith("beginxxx");
  expect(text).toEndWith("xxxend");
  expect(text).toContain("1000008 bytes left out");
});

test("nothing else is read, whatever a transcript claims", () => {
  using home = tempHome();
  const { transcript, results, secret } = projectsIn(home.folder);
  symlinkSync(secret, join(results, "link.txt"));
  mkdirSync(join(results, "folder.txt"));
  for (const file of [
    secret,
    join(results, "link.txt"),
    join(results, "../../../../secret.txt"),
    join(results, "gone.txt"),
    join(results, "folder.txt"),
    "/etc/passwd",
    "relative.txt",
    "",
  ]) {
    expect(readPersisted(transcript, file)).toBeUndefined();
  }
});
