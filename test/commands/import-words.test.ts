import { expect, test } from "bun:test";
import { planText, sizeText, timeText } from "../../src/commands/import-words.ts";
import { progressLine } from "../../src/commands/progress.ts";
import { emptyPlan, type TranscriptFile } from "../../src/imports/plan.ts";

test.each([
  [0, "0 kB"],
  [1, "1 kB"],
  [999_000, "999 kB"],
  [1_000_000, "1.0 MB"],
  [1_100_000_000, "1.1 GB"],
])("%p bytes are %p", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test.each([
  [0.2, "1 s"],
  [27.5, "28 s"],
  [99.4, "99 s"],
  [150, "3 min"],
])("%p seconds are %p", (seconds, text) => {
  expect(timeText(seconds)).toBe(text);
});

test("a plan is one line of what there is", () => {
  const file = { size: 880_000 } as TranscriptFile;
  const transcripts = Array.from({ length: 1_253 }, () => file);
  expect(planText({ ...emptyPlan(), transcripts })).toBe("1,253 transcripts, 1.1 GB, about 28 s; no model calls");
  expect(planText(emptyPlan())).toBe("0 transcripts; no model calls");
  const databases = [{ path: "/x", size: 4_000 }];
  expect(planText({ ...emptyPlan(), databases, exports: [{ path: "-", size: 0 }] })).toBe(
    "1 export, 1 database of the earlier program, 4 kB, about 1 s; no model calls",
  );
});

test.each([
  [0, 100e6, 0, "░░░░░░░░░░░░░░░░░░░░░░░░  0 %  0 kB of 100.0 MB"],
  [50e6, 100e6, 2, "████████████░░░░░░░░░░░░  50 %  50.0 MB of 100.0 MB  25.0 MB/s  2 s left"],
  [120e6, 100e6, 4, "████████████████████████  100 %  100.0 MB of 100.0 MB  30.0 MB/s  1 s left"],
  [5e6, 0, 1, "5.0 MB  5.0 MB/s"],
])("%p of %p bytes after %p s", (read, total, seconds, line) => {
  expect(progressLine(read, total, seconds)).toBe(line);
});
