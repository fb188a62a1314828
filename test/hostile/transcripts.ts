import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../fixtures/random.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { damage, mutate } from "./mutate.ts";
import { hostileJson, hostileText, prototypeNames, texts } from "./values.ts";

/** A well-formed turn among the damage: it must be stored word for word. */
export interface Witness {
  uuid: string;
  prompt: string;
  answer: string;
}

export interface HostileTranscript {
  bytes: Buffer;
  lines: number;
  witnesses: Witness[];
}

const folder = join(import.meta.dir, "../fixtures/transcripts");

/** Every line of the recorded transcripts that is a JSON object. */
const recorded: readonly Record<string, unknown>[] = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .flatMap((text) => {
      try {
        return text === "" ? [] : [JSON.parse(text)];
      } catch {
        return []; // two objects on one line
      }
    }),
);

/** Ids that come again and again, so that lines share them and hang on each other in circles. */
const ids = Array.from({ length: 12 }, (_, n) => `c${n}-0000`);

/** A transcript of about `length` lines, most of them hostile, with a whole turn after every tenth or so. `name` makes the turns' ids its own. */
export function makeTranscript(random: Random, name: string, length: number): HostileTranscript {
  const pieces: Buffer[] = [];
  const witnesses: Witness[] = [];
  let lines = 0;
  const add = (line: string | Buffer): void => {
    pieces.push(Buffer.from(line), Buffer.from(random.int(1, 40) === 1 ? "\r\n" : "\n"));
    lines += 1;
  };
  while (lines < length) {
    for (let n = random.int(0, 20); n > 0; n -= 1) add(hostileLine(random));
    const witness = new TranscriptBuilder(name, Date.UTC(2026, 10, 30) + lines * 60_000, 1_000, `w${name}-${lines}-`);
    const [prompt, answer] = [`question of ${name} ${lines}: ${wellFormed(random)}`, `answer ${wellFormed(random)}.`];
    const uuid = witness.prompt(prompt);
    witness.say(answer);
    witness.lines.forEach(add);
    witnesses.push({ uuid, prompt, answer });
  }
  return { bytes: Buffer.concat(pieces), lines, witnesses };
}

// Text that is kept to the letter, whatever it means to whom.
const wellFormed = (random: Random): string =>
  random.pick([
    "認証 👩‍👩‍👧‍👦",
    "'; drop table messages; --",
    "$(touch x) `id` %s %n",
    '{"type":"user"}',
    "__proto__",
    "\u202eesrever\u202c",
    "a\u200bb",
    "a\0b",
    "line one\nline two",
  ]);

function hostileLine(random: Random): string | Buffer {
  switch (random.int(1, 12)) {
    case 1:
      return damage(random, mutate(random, random.pick(recorded)));
    case 2:
      return oneLine(hostileJson(random));
    case 3:
      return oneLine(hostileText(random).toWellFormed());
    case 4:
      return unknownKind(random);
    case 5:
    case 6:
      return mutate(random, circular(random, random.pick(recorded)));
    case 7:
      return JSON.stringify(circular(random, random.pick(recorded)));
    default:
      return mutate(random, random.pick(recorded));
  }
}

const oneLine = (text: string): string => text.replaceAll("\n", " ");

const unknownKind = (random: Random): string =>
  JSON.stringify({ type: random.pick([...prototypeNames, ...texts]), uuid: random.pick(ids) });

const circular = (random: Random, line: Record<string, unknown>): Record<string, unknown> => ({
  ...line,
  uuid: random.pick(ids),
  parentUuid: random.pick([...ids, null]),
});
