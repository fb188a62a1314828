import { dlopen } from "bun:ffi";

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

/** Loads the C library; `undefined` where there is none of a known name, as on Windows. */
export function loadLibc(): Libc | undefined {
  for (const library of libraries[process.platform] ?? []) {
    try {
      const { symbols } = dlopen(library, {
        poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
        _exit: { args: ["i32"], returns: "void" },
      });
      return { isReadable: (fd, ms) => symbols.poll(pollfd(fd), 1n, ms) > 0, exit: (code) => symbols._exit(code) };
    } catch (error) {
      if (!(error instanceof Error)) throw error; // not on this system: the next name
    }
  }
  return undefined;
}

// struct pollfd { int fd; short events; short revents; }
const pollfd = (fd: number): Int32Array => Int32Array.of(fd, POLLIN);
