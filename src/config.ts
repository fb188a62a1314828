import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import type { Env } from "./env.ts";
import { configFile } from "./paths.ts";

const settings = () =>
  z.strictObject({
    /** Whether anything is stored. */
    capture: z._default(z.enum(["on", "off"]), "on"),
    /** What a new session may continue: any conversation of the project, only an exact predecessor, or nothing. */
    inherit: z._default(z.enum(["project", "clear", "off"]), "project"),
    /** Whether sessions that no person attends (`claude -p`) count. */
    headless: z._default(z.enum(["on", "off"]), "off"),
    /** How many of the eight SessionStart hooks may speak; 0 restores nothing. */
    restore_parts: z._default(z.int().check(z.minimum(0), z.maximum(8)), 8),
    /** Whether the worktrees of a repository are projects of their own or continue each other. */
    worktrees: z._default(z.enum(["apart", "together"]), "apart"),
    /** The language of what we say around the conversation. */
    language: z._default(z.enum(["auto", "en", "ja"]), "auto"),
  });

/** The settings, each with its default. */
export type Config = z.infer<ReturnType<typeof settings>>;

/** The language where there is no conversation to take it from. */
export const plainLanguage = ({ language }: Config): "en" | "ja" => (language === "ja" ? "ja" : "en");

export const defaults: Config = {
  capture: "on",
  inherit: "project",
  headless: "off",
  restore_parts: 8,
  worktrees: "apart",
  language: "auto",
};

/**
 * The settings of `config.json`; the defaults where there is no such file.
 * @throws when the file is no JSON object or has an unknown key or value; the message names the key and the file
 */
export function readConfig(env: Env): Config {
  const file = configFile(env);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return defaults;
    throw error;
  }
  const result = z.safeParse(settings(), parseJson(text, file));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const key = issue?.code === "unrecognized_keys" ? issue.keys.join(", ") : issue?.path.join(".");
  throw new Error(`${file}: ${key ? `${key}: ` : ""}${issue?.message ?? "not valid"}`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}
