import { dlopen } from "bun:ffi";

const libraries: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
  darwin: ["libSystem.B.dylib"],
};

/**
 * Ends the process at once with exit code 0. What is committed stays committed: it is in the database's WAL, which SQLite
 * folds into the database when it has grown or when somebody closes the database in peace. An orderly end would have the
 * last connection do that after every turn, with four fsyncs, a third of the whole hook's time.
 * Returns where the platform has no such way out; the process then ends as any other does.
 */
export function leave(): void {
  for (const library of libraries[process.platform] ?? []) {
    try {
      dlopen(library, { _exit: { args: ["i32"], returns: "void" } }).symbols._exit(0);
    } catch (error) {
      if (!(error instanceof Error)) throw error; // not on this system: the next name, or an orderly end
    }
  }
}
