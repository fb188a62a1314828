import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TempHome } from "../support/home.ts";

/** What a shell did with a command. */
export interface Done {
  /** The arguments of each call of `throughline`. */
  calls: string[][];
  /** How many commands it began, builtins and assignments among them. */
  commands: number;
  /** Files that were not there before, and programs that ran and are not ours. */
  traces: string[];
}

/** A folder with nothing in it and a PATH with one program, a `throughline` that notes how it was called. */
export interface Stage {
  /** Stands for `$EVIL` in a command. */
  evil: string;
  run: (shell: string, command: string) => Done;
}

const stub = (log: string) =>
  `#!/bin/sh\nfor word do printf '%s\\0' "$word"; done >> "${log}"\nprintf '\\001' >> "${log}"\n`;

export function setStage(home: TempHome): Stage {
  const [bin, folder, log] = ["bin", "empty", "calls"].map((name) => join(home.folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  mkdirSync(folder);
  const evil = join(home.folder, "evil");
  writeFileSync(join(bin, "throughline"), stub(log));
  writeFileSync(evil, `#!/bin/sh\n: > "${folder}/evil-ran"\n`);
  for (const file of [join(bin, "throughline"), evil]) chmodSync(file, 0o755);
  const run = (shell: string, command: string): Done => {
    writeFileSync(log, "");
    // -x: the shell tells each command before it runs it, each after a `+`.
    const ran = Bun.spawnSync([shell, "-x", "-c", command], {
      cwd: folder,
      env: { PATH: bin, HOME: folder, LC_ALL: "C.UTF-8" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: 10_000,
    });
    const calls = readFileSync(log, "utf8").split("\u0001").slice(0, -1);
    const traces = readdirSync(folder);
    for (const name of traces) rmSync(join(folder, name), { recursive: true });
    return {
      calls: calls.map((call) => call.split("\0").slice(0, -1)),
      commands: ran.stderr
        .toString()
        .split("\n")
        .filter((line) => /^\++(?: |zsh:)/.test(line)).length,
      traces,
    };
  };
  return { evil, run };
}

/**
 * The words of a command in which nothing but blanks and whole quotes means anything, by reading it letter by letter:
 * what a shell makes of it must be the same, or something was expanded.
 */
export function plainWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (const letter of command) {
    if (quote !== "") {
      if (letter === quote) quote = "";
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= "";
    } else if (letter === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + letter;
  }
  return word === undefined ? words : [...words, word];
}
