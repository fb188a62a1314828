import { type ArgsDef, defineCommand } from "citty";
import type { Env } from "../env.ts";
import { print } from "../output.ts";
import type { Commands } from "./commands.ts";
import { descriptionOf } from "./help.ts";
import { UsageError } from "./usage.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** `throughline completions <shell>`: a script for the shell, from what the commands take. */
export default (_env: Env, commands: Commands) =>
  defineCommand({
    meta: {
      name: "completions",
      description: "Print the script that completes commands and options in bash, zsh or fish",
    },
    args: {
      shell: { type: "positional", required: true, valueHint: "bash|zsh|fish", description: "Which shell" },
    },
    async run({ args }) {
      const script = Object.hasOwn(scripts, args.shell) ? scripts[args.shell as keyof typeof scripts] : undefined;
      if (!script)
        throw new UsageError(`"${args.shell}" is no shell that is known: completions takes ${shells.join(", ")}`);
      await print(script(await describe(commands)));
    },
  });

/** A command as a shell completes it. */
interface Described {
  name: string;
  description: string;
  options: { flag: string; description: string; values: readonly string[]; takesFile: boolean; takesValue: boolean }[];
  words: readonly string[];
}

async function describe(commands: Commands): Promise<Described[]> {
  const named = Object.entries(commands).map(async ([name, load]): Promise<Described> => {
    const command = await load();
    const args = (await (typeof command.args === "function" ? command.args() : command.args)) ?? {};
    return { name, description: await descriptionOf(command), options: optionsOf(args), words: wordsOf(args) };
  });
  return Promise.all(named);
}

function optionsOf(args: ArgsDef): Described["options"] {
  return Object.entries(args)
    .filter(([, { type }]) => type !== "positional")
    .flatMap(([name, arg]) => {
      const values = arg.type === "enum" ? (arg.options ?? []) : [];
      const isOff = arg.type === "boolean" && arg.default === true;
      return {
        flag: isOff ? `--no-${name}` : `--${name}`,
        description: (isOff && "negativeDescription" in arg ? arg.negativeDescription : arg.description) ?? "",
        values,
        takesFile: ["file", "dir", "path"].includes(arg.valueHint ?? ""),
        takesValue: arg.type !== "boolean",
      };
    });
}

// A hint like `bash|zsh` lists the words themselves.
const wordsOf = (args: ArgsDef): readonly string[] =>
  Object.values(args).flatMap(({ type, valueHint = "" }) =>
    type === "positional" && /^[\w-]+(\|[\w-]+)+$/.test(valueHint) ? valueHint.split("|") : [],
  );

const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const scripts: Readonly<Record<(typeof shells)[number], (commands: readonly Described[]) => string>> = {
  bash: (commands) => `# bash completion for throughline
_throughline() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${single(`${commands.map(({ name }) => name).join(" ")} --help --version`)} -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(bashValues).join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options, words }) => `    ${name}) words=${single([...words, ...options.map(({ flag }) => flag), "--help"].join(" "))} ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _throughline throughline
`,
  zsh: (commands) => `#compdef throughline
# zsh completion for throughline
_throughline() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${single(`${name}:${description.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(zshCase).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_throughline" ]; then _throughline "$@"; else compdef _throughline throughline; fi
`,
  fish: (commands) => `# fish completion for throughline
complete -c throughline -f
${commands.flatMap(fishLines).join("\n")}
`,
};

function bashValues({ name, options }: Described): string[] {
  return options.flatMap(({ flag, values, takesFile }) => {
    if (takesFile) return `    ${single(`${name} ${flag}`)}) COMPREPLY=($(compgen -f -- "$word")); return ;;`;
    if (values.length === 0) return [];
    return `    ${single(`${name} ${flag}`)}) COMPREPLY=($(compgen -W ${single(values.join(" "))} -- "$word")); return ;;`;
  });
}

function zshCase({ name, options, words }: Described): string {
  const clean = (text: string) => text.replaceAll(/[[\]:]/g, "\\$&");
  const specs = options.map(({ flag, description, values, takesFile, takesValue }) => {
    const value = !takesValue
      ? ""
      : takesFile
        ? ":file:_files"
        : values.length > 0
          ? `:value:(${values.join(" ")})`
          : ":value:";
    return single(`${flag}[${clean(description)}]${value}`);
  });
  const positional = words.length > 0 ? [single(`*:word:(${words.join(" ")})`)] : [];
  return `    ${name}) shift words; (( CURRENT-- )); _arguments ${[...specs, ...positional].join(" ")} ;;`;
}

function fishLines({ name, description, options, words }: Described): string[] {
  const after = `-n ${single(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    `complete -c throughline -n __fish_use_subcommand -a ${name} -d ${single(description)}`,
    ...words.map((word) => `complete -c throughline ${after} -a ${word}`),
    ...options.map(({ flag, description: told, values, takesFile, takesValue }) => {
      const value = !takesValue
        ? ""
        : takesFile
          ? " -r -F"
          : values.length > 0
            ? ` -x -a ${single(values.join(" "))}`
            : " -x";
      return `complete -c throughline ${after} -l ${flag.slice(2)} -d ${single(told)}${value}`;
    }),
  ];
}
