import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateTranscript } from "../../src/transcript/locate.ts";
import { tempHome } from "../support/home.ts";

test("a transcript is found in whichever project's folder it is; of two the longer one", () => {
  using home = tempHome();
  const projects = join(home.folder, "projects");
  for (const [folder, text] of [
    ["a", "short"],
    ["b", "much longer"],
    ["c", "x"],
  ] as const) {
    mkdirSync(join(projects, folder), { recursive: true });
    writeFileSync(join(projects, folder, folder === "c" ? "other.jsonl" : "s1.jsonl"), text);
  }
  mkdirSync(join(projects, "c/s1.jsonl"));
  writeFileSync(join(projects, "file"), "");
  expect(locateTranscript(projects, "s1")).toBe(join(projects, "b/s1.jsonl"));
  expect(locateTranscript(projects, "s2")).toBeUndefined();
  expect(locateTranscript(projects, "../b/s1")).toBeUndefined();
  expect(locateTranscript(join(home.folder, "nowhere"), "s1")).toBeUndefined();
});
