import { patternProblem } from "./mask/masks.ts";

/** One setting. `values` says to a person what it takes. */
interface Setting<Value> {
  takes: (value: unknown) => value is Value;
  values: string;
  default: Value;
  description: string;
}

// By hand: every hook needs this table, and a schema library takes longer to load than the settings to read.
const choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  byDefault: Values[number],
  description: string,
): Setting<Values[number]> => ({
  takes: (value): value is Values[number] => values.some((allowed) => allowed === value),
  values: values.join(", "),
  default: byDefault,
  description,
});

const whole = (from: number, to: number, byDefault: number, description: string): Setting<number> => ({
  takes: (value): value is number => Number.isInteger(value) && Number(value) >= from && Number(value) <= to,
  values: `${from} to ${to}`,
  default: byDefault,
  description,
});

const text = (least: number, byDefault: string, values: string, description: string): Setting<string> => ({
  takes: (value): value is string => typeof value === "string" && value.length >= least,
  values,
  default: byDefault,
  description,
});

const patterns = (description: string): Setting<readonly string[]> => ({
  takes: (value): value is readonly string[] =>
    Array.isArray(value) && value.every((one) => typeof one === "string" && patternProblem(one) === undefined),
  values: "a list of regular expressions",
  default: [],
  description,
});

/**
 * Every setting: what it takes, what holds where nobody set it, and one line for `config list` and the README. A new one
 * is a line here and one in the README's table.
 */
export const settings = {
  capture: choice(["on", "off"], "on", "Whether anything is stored"),
  inherit: choice(
    ["project", "clear", "off"],
    "project",
    "What a new session may continue: the project's newest too, only its own window's, nothing",
  ),
  headless: choice(["on", "off"], "off", "Whether sessions that nobody attends (claude -p) count"),
  restore_parts: whole(0, 8, 8, "How many parts of 9,900 characters Claude is told at most; 0 tells nothing"),
  language: choice(
    ["auto", "en", "ja"],
    "auto",
    "The language around the conversation; auto is the conversation's own",
  ),
  worktrees: choice(["apart", "together"], "apart", "Whether a repository's worktrees continue each other"),
  mask: choice(
    ["on", "off"],
    "on",
    "Whether keys, tokens and passwords in tool traffic, lines and exports are stored as [masked: …]",
  ),
  mask_conversation: choice(["on", "off"], "off", "Whether they are masked in what was said, too"),
  mask_patterns: patterns("More of what is to be masked"),
  backups: whole(0, 10, 2, "How many weekly backups of the database are kept"),
  prune_after: whole(0, 36_500, 0, "Days after which turns are deleted; 0 keeps them for ever"),
  prune_details_after: whole(0, 36_500, 0, "Days after which what tools said is deleted; 0 keeps it for ever"),
  max_size: whole(0, 1_000_000, 0, "MB that the database may have before its oldest goes; 0 is no bound"),
  summaries: choice(
    ["login", "any", "off"],
    "login",
    "Whose account writes one line for each older turn: your Claude login, whatever your client uses, nobody's",
  ),
  summaries_per_day: whole(0, 10_000, 200, "How many turns a day may be sent for a line"),
  summary_model: text(1, "claude-haiku-4-5-20251001", "a model's name", "The model that writes the lines"),
  claude: text(0, "", "a path, or nothing to look for it", "Where the claude program is that asks the model"),
};

export type Key = keyof typeof settings;

/** All the keys, in the order in which they are listed. */
export const keys = Object.keys(settings) as Key[];

/** A value for each setting. */
export type Config = { [K in Key]: (typeof settings)[K]["default"] };

export const defaults = Object.fromEntries(keys.map((key) => [key, settings[key].default])) as Config;

export const isKey = (key: string): key is Key => Object.hasOwn(settings, key);
