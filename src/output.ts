// Not Bun.write(Bun.stdout, …): on a file opened for appending, as the client's Bash tool opens it, Bun 1.4.5 extends the
// file by the text's length before it appends, and the reader gets as many NULs as text.

/** Writes all of the text to stdout: data. */
export async function print(text: string): Promise<void> {
  const out = Bun.stdout.writer();
  await out.write(text);
  await out.end();
}

/** Writes all of the text to stderr: words. */
export async function complain(text: string): Promise<void> {
  const out = Bun.stderr.writer();
  await out.write(text);
  await out.end();
}
