// Not Bun.write(Bun.stdout, …): on a file opened for appending, as the client's Bash tool opens it, Bun 1.4.5 extends the
// file by the text's length before it appends, and the reader gets as many NULs as text.

/**
 * Text for a terminal: without the control characters that stored text, paths and names may hold, and without the signs that
 * turn the order of what is shown. Tabs and newlines stay.
 */
export const printable = (text: string): string => text.replace(unprintable, "");

const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** What JSON leaves as it is. */
const unescaped = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A value as JSON in which those are escapes: the same value, and nothing that a terminal acts on. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    unescaped,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Writes text to stdout that a person may be looking at: what a command has to say. */
export const printText = (text: string): Promise<void> => print(printable(text));

/** Writes a value as JSON to stdout, indented. */
export const printJson = (value: unknown): Promise<void> => print(`${printableJson(value, 2)}\n`);

/** Writes all of the text to stdout as it is: data. */
export async function print(text: string): Promise<void> {
  const out = Bun.stdout.writer();
  await out.write(text);
  await out.end();
}

/** Writes the text to stderr: words. */
export async function complain(text: string): Promise<void> {
  const out = Bun.stderr.writer();
  await out.write(printable(text));
  await out.end();
}
