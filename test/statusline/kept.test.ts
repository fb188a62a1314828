import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTranscript } from "../../src/commands/transcript-store.ts";
import { estimateTokens } from "../../src/context/tokens.ts";
import { estimateKeptTokens } from "../../src/kept.ts";
import { tellSuccessor } from "../../src/restore.ts";
import { seeded } from "../fixtures/random.ts";
import { tempHome } from "../support/home.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const settings = { inherit: "project", restore_parts: 8 } as const;
const recorded = join(import.meta.dir, "../fixtures/transcripts");

/** What a restore of a transcript's session tells, and what is said of it without telling it. */
function compare(file: string): { told: number; estimated: number } {
  using home = tempHome();
  const { db, session } = readTranscript(home.env(), file);
  using _ = db;
  const telling = tellSuccessor(db, home.env(), { session, reason: "exact" });
  const told = (telling?.parts ?? []).reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return { told, estimated: estimateKeptTokens(db, session, settings) ?? Number.NaN };
}

describe("as much as is told, give or take a tenth and 200 tokens", () => {
  // A plan that was handed over is no word of the person's, yet is told as one.
  const files = readdirSync(recorded).filter((name) => name.endsWith(".jsonl") && !name.startsWith("plan-"));
  test.each(files)("%s", (name) => {
    const { told, estimated } = compare(join(recorded, name));
    expect(Math.abs(estimated - told)).toBeLessThan(200 + told / 10);
  });

  const words = {
    English: "the import locks a table and the session waits for its timeout".split(" "),
    日本語: ["認証の", "設定を", "直して、", "テストを", "通しました。"],
  };

  /** Random turns, as many as asked for, of up to so many words a message. */
  function write(of: readonly string[], turns: number, longest: number, joint: string): string {
    const random = seeded(turns + longest);
    const builder = new TranscriptBuilder();
    const some = (most: number) => Array.from({ length: random.int(1, most) }, () => random.pick(of)).join(joint);
    for (let n = 0; n < turns; n += 1) {
      builder.prompt(some(longest / 4));
      builder.tool("Bash", { command: "ls" }, "a file");
      builder.say(some(longest));
    }
    return builder.text;
  }

  test.each([1, 20, 21, 60, 400].flatMap((turns) => [40, 400, 4_000].map((longest) => [turns, longest] as const)))(
    "%d turns of up to %d words",
    (turns, longest) => {
      for (const [language, of] of Object.entries(words)) {
        using home = tempHome();
        const file = join(home.folder, "11111111-0000-4000-8000-000000000000.jsonl");
        writeFileSync(file, write(of, turns, longest, language === "English" ? " " : ""));
        const { told, estimated } = compare(file);
        expect([language, Math.abs(estimated - told) < 200 + told / 10, told, estimated]).toEqual([
          language,
          true,
          told,
          estimated,
        ]);
      }
    },
  );
});

test("a thread that starts clean keeps nothing, and settings that tell nothing say nothing", () => {
  using home = tempHome();
  const { db, session } = readTranscript(home.env(), join(recorded, "japanese.jsonl"));
  expect(estimateKeptTokens(db, session, { inherit: "off", restore_parts: 8 })).toBeUndefined();
  expect(estimateKeptTokens(db, session, { inherit: "project", restore_parts: 0 })).toBeUndefined();
  db.run("update session_turns set left_at = 1");
  expect(estimateKeptTokens(db, session, settings)).toBe(0);
  db.close();
});
