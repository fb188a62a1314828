import { lstatSync, type Stats, statSync } from "node:fs";

/** Somebody else could read what is written, or write what is read. */
export class ForeignError extends Error {
  override name = "ForeignError";
}

const othersMayWrite = 0o002;
const elsewhere = "or set THROUGHLINE_HOME to a folder of your own";

/**
 * Makes sure that the data folder, where there is one, is the person's own and that not everybody may write in it: what is
 * planted there would be read and written in the person's name. The folder itself may be a link to one that is.
 * @throws ForeignError saying what to do
 */
export function checkFolder(folder: string): void {
  if (process.platform === "win32") return; // a profile's rights are inherited
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return;
  if (!isOwn(stats)) {
    throw new ForeignError(
      `${folder} belongs to another user (uid ${stats.uid}) and is left alone: give it to yourself with chown, ${elsewhere}`,
    );
  }
  if ((stats.mode & othersMayWrite) !== 0) {
    throw new ForeignError(`everybody may write in ${folder}, so it is left alone: chmod 700 ${folder}, ${elsewhere}`);
  }
}

/**
 * The size of the data file in bytes; `undefined` where there is none.
 * @throws ForeignError where it is a link, no file, or another user's
 */
export function checkFile(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) {
    throw new ForeignError(`${file} is a link and is not followed: put the file itself there, ${elsewhere}`);
  }
  if (!stats.isFile()) throw new ForeignError(`${file} is no file: move it away, ${elsewhere}`);
  if (process.platform !== "win32" && !isOwn(stats)) {
    throw new ForeignError(
      `${file} belongs to another user (uid ${stats.uid}) and is left alone: give it to yourself with chown, ${elsewhere}`,
    );
  }
  return stats.size;
}

const isOwn = ({ uid }: Stats): boolean => uid === process.geteuid?.();
