import { expect, test } from "bun:test";
import { join } from "node:path";
import { binary } from "../support/ran.ts";

function say(args: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([binary, ...args], {
    env: { HOME: "/nowhere", PATH: "/usr/bin:/bin" },
  });
  expect({ stderr: stderr.toString(), exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout.toString();
}

const help = say(["--help"]);
const named = [...help.matchAll(/^ {2}([a-z-]+) /gm)].map((match) => match[1] as string);
const sources = await Bun.file(join(import.meta.dir, "../../src/cli.ts")).text();
const commands = [...sources.matchAll(/^ {2}([a-z]+): \(\) => import/gm)].map((match) => match[1] as string);

test("the six commands that a person needs first stand first", () => {
  expect(help).toContain("\nFirst\n  install");
  expect(named.slice(0, 6)).toEqual(["install", "status", "detail", "preview", "doctor", "uninstall"]);
});

test("help names every command once, in a group", () => {
  expect(named.toSorted()).toEqual(commands.toSorted());
  expect(help).not.toContain("\nOthers\n");
});

test.each(commands)("%s has help with an example", (name) => {
  const said = say([name, "--help"]);
  expect(said).toContain("USAGE");
  expect(said).toContain(`EXAMPLES\n\n  throughline ${name}`);
  expect(said).not.toContain("\u001b");
});

const shells: [string, string[], string][] = [
  [
    "bash",
    [
      "bash",
      "--norc",
      "-c",
      `. "$0"; COMP_WORDS=(throughline install --scope ""); COMP_CWORD=3; _throughline; echo "\${COMPREPLY[@]}"`,
    ],
    "user project local",
  ],
  [
    "bash",
    [
      "bash",
      "--norc",
      "-c",
      `. "$0"; COMP_WORDS=(throughline ""); COMP_CWORD=1; _throughline; echo "\${COMPREPLY[@]}"`,
    ],
    commands.join(" "),
  ],
  ["zsh", ["zsh", "-f", "-n"], ""],
  ["fish", ["fish", "--no-config", "-c", 'source $argv[1]; complete -C "throughline install --dry"'], "--dry-run"],
];

test.each(shells)("completions for %s", async (shell, command, expected) => {
  const script = say(["completions", shell]);
  for (const name of commands) expect(script).toContain(name);
  if (Bun.which(shell) === null) return;
  const file = join(import.meta.dir, `../../dist/completions.${shell}`);
  await Bun.write(file, script);
  const { stdout, stderr } = Bun.spawnSync([...command, file], { env: { PATH: "/usr/bin:/bin", HOME: "/nowhere" } });
  expect(stderr.toString()).toBe("");
  expect(stdout.toString()).toContain(expected);
});
