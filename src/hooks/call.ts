// Compiled when it is asked for: every hook loads this file.
/** Letters and digits of any script, and the few signs that times, ids, options and paths need. Nothing a shell acts on. */
const word = String.raw`[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}:#.,_/@%+-]*`;
const quoted = String.raw`"[\p{L}\p{N}\p{M} :#.,_/@%+-]*"|'[\p{L}\p{N}\p{M} :#.,_/@%+-]*'`;
const option = String.raw`--?[a-z][a-z-]*(?:=(?:${word}|${quoted}))?`;
const call = String.raw`^throughline (?:detail|status|search|sessions|restore)(?: +(?:${word}|${quoted}|${option}))* *$`;
/** No call of ours is longer, and whatever is has a reason that a person should see. */
const longest = 2_000;
/** Some letters and marks look like a blank or like nothing at all. */
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Whether the whole of a shell command is one read-only `throughline` call with no shell metacharacter in it: no quoting
 * that could end early, no expansion, no second command, no newline.
 */
export const isReadOnlyCall = (command: string): boolean =>
  command.length <= longest && new RegExp(call, "u").test(command) && !invisible.test(command);
