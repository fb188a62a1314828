/**
 * The version of the built program.
 * @throws when it runs from its sources, which can be neither installed nor examined
 */
export function programVersion(): string {
  if (typeof THROUGHLINE_VERSION === "string") return THROUGHLINE_VERSION;
  throw new Error("only the built program can do this");
}
