import type { ArgsDef, CommandDef } from "citty";
import { UsageError } from "./usage.ts";

/**
 * The command, refusing what it does not take: citty passes over a misspelled option and a word too many. A positional
 * argument whose hint ends with "…" takes any number of words.
 */
export function strict(command: CommandDef): CommandDef {
  const { args: defined } = command;
  return {
    ...command,
    setup: async ({ args }) => refuseOthers((await (typeof defined === "function" ? defined() : defined)) ?? {}, args),
  };
}

function refuseOthers(defined: ArgsDef, given: Record<string, unknown> & { _: string[] }): void {
  const names = Object.entries(defined).flatMap(([name, arg]) => [
    name,
    ...("alias" in arg ? [arg.alias ?? []].flat() : []),
  ]);
  const words = Object.values(defined).filter(({ type }) => type === "positional");
  const positional = words.some(({ valueHint }) => valueHint?.endsWith("…")) ? Infinity : words.length;
  const known = new Set(["_", ...names, ...names.map(camel)]);
  const option = Object.keys(given).find((name) => !known.has(name));
  const other = option === undefined ? given._[positional] : `${option.length > 1 ? "--" : "-"}${option}`;
  if (other !== undefined) throw new UsageError(`${other} is not among what the command takes; --help lists it`);
}

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
