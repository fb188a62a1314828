declare module "*.sql" {
  const sql: string;
  export default sql;
}

declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}

/** A page's script, as text. */
declare module "*.script.js" {
  const text: string;
  export default text;
}

declare module "*/LICENSE" {
  const text: string;
  export default text;
}

/** Set by the build from package.json. */
declare const THROUGHLINE_VERSION: string | undefined;

/** Set by the build: whether the fault switches of the end-to-end tests are compiled in. */
declare const THROUGHLINE_FAULTS: boolean | undefined;

declare module "bun" {
  /** What `bun:ffi` is made of. An error is returned, not thrown; types are numbers, `FFIType`'s. */
  const FFI: {
    dlopen(
      library: string,
      symbols: Record<string, { args: number[]; returns: number }>,
    ): Error | { symbols: { poll(fds: Int32Array, count: bigint, ms: number): number; _exit(code: number): void } };
  };
}
