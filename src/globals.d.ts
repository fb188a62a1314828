declare module "*.sql" {
  const sql: string;
  export default sql;
}

/** Set by the build from package.json. */
declare const THROUGHLINE_VERSION: string | undefined;

/** Set by the build: whether the fault switches of the end-to-end tests are compiled in. */
declare const THROUGHLINE_FAULTS: boolean | undefined;
