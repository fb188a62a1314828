/** Letters and digits of any script, none of them invisible. */
const letter = String.raw`[\p{L}\p{N}\p{M}]--\p{Default_Ignorable_Code_Point}`;
/** And the few signs that times, ids, options and paths need. Nothing a shell acts on. */
const sign = String.raw`[${letter}]|[:#.,_\/@%+\-]`;
const word = String.raw`[${letter}](?:${sign})*`;
const quoted = String.raw`"(?:${sign}| )*"|'(?:${sign}| )*'`;
const option = String.raw`--?[a-z][a-z\-]*(?:=(?:${word}|${quoted}))?`;
const call = new RegExp(
  String.raw`^throughline (?:detail|status|search)(?: +(?:${word}|${quoted}|${option}))* *$`,
  "v",
);

/**
 * Whether the whole of a shell command is one read-only `throughline` call with no shell metacharacter in it: no quoting
 * that could end early, no expansion, no second command, no newline.
 */
export const isReadOnlyCall = (command: string): boolean => call.test(command);
