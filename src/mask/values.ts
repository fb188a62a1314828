/** What stands for a secret without being one: a variable, an example, a mask. */
const standIn =
  /^(?:[$%<{[(*]|x{3,}|\.{3}|your|my-?(?:secret|token|password|key)|change-?me|example|placeholder|dummy|redacted|masked|secret$|token$|password$|true$|false$|null$|undefined$|none$|string|number|boolean|process\.|os\.|env\.|env\[|import|config\.|self\.|this\.|options|secrets\.|vars\.|args|get|read|require)/i;
/** A name in code, with what it is read from. */
const identifier = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*[!?]?$/;

/** Whether a value is written out, and not the name of one. */
export const isLiteral = (value: string): boolean => !standIn.test(value);

/** Whether a value may be a password: written out, not a number that could be anything, no piece of code. */
export const isPassword = (value: string): boolean =>
  isLiteral(value) && !/[({]/.test(value) && !(identifier.test(value) && !/\d/.test(value) && value.includes("."));

/** Whether a value looks drawn: letters and digits in a mixture that names, numbers, paths and versions do not have. */
export function isRandom(value: string): boolean {
  if (!isLiteral(value) || /[({]/.test(value) || /^(?:\.{0,2}\/|[a-z]+:\/\/|\d+$)/i.test(value)) return false;
  const core = value.replace(/[^A-Za-z0-9]/g, "");
  if (core.length < 8 || !/\d/.test(core) || !/[A-Za-z]/.test(core)) return false;
  // snake_case, kebab-case and dotted names of words with a number somewhere
  const words = value.split(/[_.\-/]+/).filter((word) => word !== "");
  return words.some((word) => word.length >= 8 && /\d/.test(word) && /[A-Za-z]/.test(word) && changes(word) >= 3);
}

/** How often letters and digits, or upper and lower case, follow on one another. */
function changes(word: string): number {
  let count = 0;
  for (let at = 1; at < word.length; at += 1) if (kindOf(word, at) !== kindOf(word, at - 1)) count += 1;
  return count;
}

const kindOf = (word: string, at: number): number => {
  const code = word.charCodeAt(at);
  return code < 58 ? 0 : code < 91 ? 1 : 2;
};
