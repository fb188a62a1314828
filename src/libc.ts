/** The two functions of the C library that Bun does not offer. */
export interface Libc {
  /**
   * poll(2) for one file descriptor: whether reading it would not block, within some milliseconds. An end of input and
   * a descriptor that is not open count as readable.
   */
  isReadable: (fd: number, milliseconds: number) => boolean;
  /** _exit(2): ends the process at once, without closing anything in order. */
  exit: (code: number) => void;
}

const libraries: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
  darwin: ["libSystem.B.dylib"],
};
const POLLIN = 1;
/** Bun's `FFIType`. */
const [int, unsignedLong, pointer, nothing] = [5, 8, 12, 13];

/**
 * Loads the C library; `undefined` where there is none of a known name, as on Windows. Not through `bun:ffi`, which wraps
 * the same function and takes 0.3 ms longer to load. Moves to the root folder: Bun looks for a library in the current
 * folder as well, where a project could have put one.
 */
export function loadLibc(): Libc | undefined {
  for (const library of libraries[process.platform] ?? []) {
    process.chdir("/");
    const loaded = Bun.FFI.dlopen(library, {
      poll: { args: [pointer, unsignedLong, int], returns: int },
      _exit: { args: [int], returns: nothing },
    });
    if (loaded instanceof Error) continue; // not on this system: the next name
    const { poll, _exit } = loaded.symbols;
    return { isReadable: (fd, ms) => poll(pollfd(fd), 1n, ms) > 0, exit: (code) => _exit(code) };
  }
  return undefined;
}

// struct pollfd { int fd; short events; short revents; }
const pollfd = (fd: number): Int32Array => Int32Array.of(fd, POLLIN);
