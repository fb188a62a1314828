import { below, pick, type Random } from "./random.ts";

// Roughly by how often they occur: texts are drawn with a skew towards the beginning.
const words =
  `the to a of and in is it that for this on with as be are not we you can from or if at by have an but should which when
  so there what one file test error line code now will only value function also because use its into than then does was
  would first type more out no same after where all each has been call set new run needs before here they change without
  return store session read part still while path both every check write case build already time other two string key
  server table query list module name state request response number object field cache config default handler client
  index update remove add option message event parse token column array branch commit merge deploy version package
  import export class method argument loop thread lock queue retry timeout schema migration transaction rollback render
  component layout style button page route header cookie login user account permission role policy secret hash digest
  signature buffer stream chunk socket port host proxy certificate payload encode decode compress pointer memory leak
  allocate release reference owner borrow lifetime generic trait interface abstract concrete factory adapter bridge
  observer visitor iterator generator closure promise callback exception trace profile benchmark latency throughput
  percentile regression fixture snapshot coverage flaky assertion expectation mock stub harness pipeline artifact
  container image volume cluster replica shard partition leader follower quorum consensus heartbeat election checkpoint
  journal vacuum analyze planner optimizer selectivity cardinality histogram predicate projection aggregate window`.split(
    /\s+/,
  );
const folders = ["src", "test", "lib", "packages/core/src", "packages/web/src", "internal/store", "cmd", "scripts"];
const extensions = ["ts", "rs", "go", "py", "tsx", "sql"];
const levels = ["INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN", "ERROR"];

const word = (random: Random): string => pick(random, words, 2.2);
const name = (random: Random): string => `${word(random)}${pick(random, ["", "_"])}${word(random)}`;

/** A path as projects have them. */
export const path = (random: Random): string =>
  `${pick(random, folders)}/${word(random)}-${word(random)}.${pick(random, extensions)}`;

function sentence(random: Random): string {
  const said = Array.from({ length: 6 + below(random, 14) }, () => word(random));
  if (random() < 0.3) said[3] = `\`${name(random)}\``;
  if (random() < 0.05) said[4] = pick(random, ["—", "→", "…", "≤"]);
  const text = said.join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${pick(random, [".", ".", ".", ":", "?"])}`;
}

/** What a file or a log keeps coming back to: real ones use few names and few messages, and those often. */
interface Scope {
  names: string[];
  words: string[];
  paths: string[];
  /** Which of the kinds of lines a tool prints. */
  kind: number;
}

const makeScope = (random: Random): Scope => ({
  names: Array.from({ length: 14 }, () => name(random)),
  words: Array.from({ length: 9 }, () => word(random)),
  paths: Array.from({ length: 4 }, () => path(random)),
  kind: below(random, 5),
});

function codeLine(random: Random, { names, words }: Scope): string {
  const indent = "  ".repeat(below(random, 4));
  const [a, b, c] = [pick(random, names, 1.5), pick(random, names, 1.5), pick(random, words)];
  return (
    indent +
    pick(random, [
      `const ${c} = await ${b}(${a}, ${below(random, 500)});`,
      `if (${a}.${c} !== ${b}) return ${c};`,
      `${a}.${c} = ${b}.map((${c}) => ${c}.${pick(random, words)});`,
      `export function ${a}(${b}: string, ${c}: number): ${c} {`,
      `return ${a}(${b});`,
      "}",
      "",
      `// ${sentence(random)}`,
      `throw new Error("${a}: ${c} ${word(random)}");`,
    ])
  );
}

function printedLine(random: Random, scope: Scope): string {
  const [a, b, c] = [pick(random, scope.names, 1.5), pick(random, scope.words), pick(random, scope.words, 1.5)];
  const [minute, number] = [10 + below(random, 50), below(random, 900)];
  const kinds = [
    () => `2026-01-14T14:${minute}:07.${100 + number}Z ${pick(random, levels)} ${a}: ${b} ${c} after ${number} ms`,
    () => `${pick(random, scope.paths)}:${number}:${minute}: ${codeLine(random, scope).trim()}`,
    () => `-rw-r--r--  1 dev dev ${String(number * 41).padStart(6)} Jan 14 14:${minute} ${b}-${c}.${word(random)}.ts`,
    () => `ok ${number} - ${a} ${b} ${c} (${minute} ms)`,
    () => `${number} ${pick(random, scope.paths)} ${a}: expected ${b}, got ${c}`,
  ];
  return kinds[scope.kind]?.() ?? "";
}

/** What there is to cut texts from: making every one anew would take longer than measuring. */
export interface Pool {
  prose: string;
  output: string;
}

/** Prose as people and models write it, and what tools print: listings, logs, code. */
export function makePool(random: Random, size: number): Pool {
  const lines = (line: () => string): string => {
    const made: string[] = [];
    for (let length = 0; length < size; length += made.at(-1)?.length ?? 0) made.push(line());
    return made.join("\n");
  };
  const numbered = (n: number) => `${String(n).padStart(6)}\t${codeLine(random, scope)}`;
  let scope = makeScope(random);
  let inFile = 0;
  return {
    prose: lines(() => Array.from({ length: 1 + below(random, 5) }, () => sentence(random)).join(" ")),
    output: lines(() => {
      if (random() < 0.005) scope = makeScope(random);
      if (inFile === 0 && random() < 0.01) inFile = 20 + below(random, 300);
      if (inFile > 0) return numbered(inFile--);
      return printedLine(random, scope);
    }),
  };
}

/** A stretch of a pool's text of the given length. */
export function cut(random: Random, text: string, length: number): string {
  const from = below(random, Math.max(1, text.length - length));
  return text.slice(from, from + length);
}
