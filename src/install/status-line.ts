import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, modify, parse } from "jsonc-parser";
import type { Env } from "../env.ts";
import { clientFolder, statusLineFile } from "../paths.ts";
import { type Chained, readChained } from "../statusline/chained.ts";
import type { Places } from "./places.ts";
import { quoted } from "./quote.ts";
import type { Scope } from "./settings.ts";
import type { Step } from "./steps.ts";

/**
 * The settings file that gets the status line. Of a project it is the person's own, whatever the scope: the setting holds a
 * path of this machine, and the other file is everybody's.
 */
const fileOf = (env: Env, scope: Scope): string =>
  scope === "user" ? join(clientFolder(env), "settings.json") : join(env.cwd, ".claude/settings.local.json");

const isOurs = (setting: unknown): boolean =>
  /throughline(\.exe)?["']? statusline$/.test(`${(setting as { command?: unknown } | null)?.command ?? ""}`);

/**
 * What sets the client's status line to ours: the rest of the file stays to the byte, and what stood there is kept beside the
 * store, to go on being shown and to be put back.
 * @throws when the settings file is no JSON object, which is the person's to mend
 */
export function settingStatusLine(env: Env, places: Places, scope: Scope): Step[] {
  const file = fileOf(env, scope);
  const text = existsSync(file) ? readFileSync(file, "utf8") : null;
  const present = settingIn(text, file);
  const setting = { type: "command", command: `${quoted([places.binary])} statusline` };
  if (isOurs(present) && (present as { command: string }).command === setting.command) return [];
  const chained = readChained(env);
  const known = isOurs(present) ? chained[file] : undefined;
  const after = withSetting(
    text,
    isOurs(present) ? { ...(present as object), ...setting } : keepLook(present, setting),
  );
  const entry: Chained = { previous: known ? known.previous : present, before: known ? known.before : text, after };
  return [...keeping(env, { ...chained, [file]: entry }), ...writing(file, after)];
}

// What the client is told beside the command (`padding`, `refreshInterval`) is how the person likes it.
const keepLook = (present: unknown, setting: object): object =>
  typeof present === "object" && present !== null ? { ...present, ...setting } : setting;

/** What puts back what stood in the place of our status line, everywhere; nothing where somebody put something else there. */
export function restoringStatusLine(env: Env): Step[] {
  const chained = readChained(env);
  const steps = Object.entries(chained).flatMap(([file, { previous, before, after }]): Step[] => {
    if (!existsSync(file)) return [];
    const text = readFileSync(file, "utf8");
    if (text === after) return before === null ? [{ do: "remove", path: file }] : writing(file, before);
    return isOurs(parse(text)?.statusLine) ? writing(file, withSetting(text, previous ?? undefined)) : [];
  });
  const file = statusLineFile(env);
  return existsSync(file) ? [...steps, { do: "remove", path: file }] : steps;
}

function settingIn(text: string | null, file: string): unknown {
  if (text === null || text.trim() === "") return null;
  const errors: { error: number }[] = [];
  const settings = parse(text, errors as never);
  if (errors.length > 0 || typeof settings !== "object" || settings === null || Array.isArray(settings))
    throw new Error(`${file} is no JSON object of settings: nothing was changed; mend it, or leave --statusline out`);
  return settings.statusLine ?? null;
}

// Not by JSON.stringify, which would lay out the person's file anew.
function withSetting(text: string | null, setting: unknown): string {
  const whole = text === null || text.trim() === "" ? "{}\n" : text;
  const formattingOptions = { insertSpaces: !/^\t/m.test(whole), tabSize: /^ {4}"/m.test(whole) ? 4 : 2 };
  return applyEdits(whole, modify(whole, ["statusLine"], setting, { formattingOptions }));
}

const keeping = (env: Env, chained: Record<string, Chained>): Step[] => [
  { do: "write", path: statusLineFile(env), text: `${JSON.stringify(chained, null, 2)}\n` },
  { do: "mode", path: statusLineFile(env), mode: 0o600 },
];

// Through a link to where the person keeps the file, with its rights as they are.
function writing(file: string, text: string): Step[] {
  if (!existsSync(file)) return [{ do: "write", path: file, text, note: "statusLine" }];
  const path = realpathSync(file);
  return [
    { do: "write", path, text, note: "statusLine" },
    { do: "mode", path, mode: statSync(path).mode & 0o777 },
  ];
}
