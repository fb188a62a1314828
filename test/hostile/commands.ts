import type { Random } from "../fixtures/random.ts";

/** A path that the generator may name: a program that notes that it ran. */
export const evil = "$EVIL";

const subcommands = ["detail", "status", "search", "sessions", "restore"];
const others = [
  "link",
  "hook stop",
  "config set capture off",
  "uninstall --yes",
  "export",
  "import",
  "doctor --fix",
  "off",
  "",
];
const words = [
  "14:23:05",
  "14:23-14:30",
  "2026-11-29",
  "14:23:05#2",
  "認証",
  "größe",
  "e\u0301tat",
  "a,b",
  "a@b.c",
  "x%y",
  "a+b",
  "../up",
  "/tmp",
  "-rf",
  "#x",
  "~",
  "~root",
  "=ls",
  "%1",
  "@(a)",
  "+(a)",
  "!!",
  "!$",
  "*",
  "?",
  "[a-z]",
  "{a,b}",
  "{1..3}",
  "$HOME",
  "$IFS",
  "$" + "{IFS}x",
  "$'\\x3b'",
  '$"x"',
  "$((1+1))",
  "$[1]",
  "\\;",
  "a\\ b",
  "\\",
  "A=1",
];
const options = [
  "--page 2",
  "--page=2",
  "--json",
  "--session=s1",
  '--session="a b"',
  "--x='a'",
  "-n",
  "--limit 5",
  "--a==b",
  "--a=$(b)",
  "--A",
];
const blanks = [
  " ",
  "  ",
  "\t",
  "\n",
  "\r",
  "\v",
  "\f",
  "\u00a0",
  "\u2003",
  "\u3000",
  "\u2028",
  "\u0085",
  "\u200b",
  "\ufeff",
  "\0",
  "",
];
const glue = [";", "&", "&&", "|", "||", "|&", ";;", "\n", "\r\n", "; ", " & ", "\\\n", ";\n", "&\n", "\u2028"];
const prefixes = [
  "",
  "",
  "",
  "",
  "",
  " ",
  "A=1 ",
  "LD_PRELOAD=x ",
  "exec ",
  "command ",
  "builtin ",
  "time ",
  "! ",
  "\\",
  "env ",
  "./",
  "../",
  "eval ",
  ". ",
  "{ ",
  "( ",
  "if ",
  "alias throughline=ls; ",
];

const quotes: readonly ((text: string) => string)[] = [
  (text) => `"${text}"`,
  (text) => `'${text}'`,
  (text) => `"${text}`,
  (text) => `'${text}`,
  (text) => `"${text}'`,
  (text) => `""${text}`,
  (text) => `${text}""`,
  (text) => `'${text}'x`,
  (text) => `x'${text}'`,
  (text) => `"${text}"'${text}'`,
  (text) => `$'${text}'`,
  (text) => `"\\"${text}"`,
  (text) => `'"${text}"'`,
];

/** What would do something if a shell ran it. */
const acts = (random: Random): string =>
  random.pick([
    evil,
    "touch made",
    `> made`,
    ">> made",
    "2>made",
    "&>made",
    ">|made",
    "< /etc/passwd",
    "<<< x",
    "<<E\nx\nE",
    "<<'E'\n$(touch made)\nE\n",
    ">(cat)",
    "<(cat)",
    `$(${evil})`,
    `\`${evil}\``,
    "$(>made)",
    "`>made`",
    `"$(${evil})"`,
    `"\`${evil}\`"`,
    "cd /",
    "export X=1",
    "f() { :; }",
    "throughline link s1",
    "throughline uninstall --yes",
    "2>&1",
    "1>&2",
    "&",
    ";",
    "#",
    "}",
    ")",
    "fi",
  ]);

function argument(random: Random): string {
  const word = random.pick(words);
  switch (random.int(1, 8)) {
    case 1:
      return random.pick(options);
    case 2:
      return random.pick(quotes)(random.pick([word, `${word} ${random.pick(words)}`, acts(random)]));
    case 3:
      return acts(random);
    case 4:
      return word + random.pick([...glue, ...blanks, '"', "'", "`", "$", "\\"]) + random.pick(words);
    default:
      return word;
  }
}

/** A shell command around a call of ours, plain or with something in it that a shell acts on. */
export function makeCommand(random: Random): string {
  const name = random.int(1, 8) === 1 ? random.pick(others) : random.pick(subcommands);
  const blank = () => (random.int(1, 6) === 1 ? random.pick(blanks) : " ");
  let command = `${random.int(1, 4) === 1 ? random.pick(prefixes) : ""}throughline${blank()}${name}`;
  for (let n = random.int(0, 3); n > 0; n -= 1) command += blank() + argument(random);
  if (random.int(1, 4) === 1) command += random.pick(glue) + acts(random);
  if (random.int(1, 12) === 1) command += blank();
  if (random.int(1, 6) === 1) {
    const at = random.int(0, command.length);
    command =
      command.slice(0, at) +
      random.pick([...blanks, ...glue, "'", '"', "$", "`", "\\", "#", "~", "*"]) +
      command.slice(at);
  }
  return command;
}
