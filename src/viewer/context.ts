import type { Database } from "bun:sqlite";
import type { Env } from "../env.ts";

/** What a page is made from. */
export interface View {
  db: Database;
  env: Env;
}

/** The address names nothing that is stored. */
export class Absent extends Error {
  override name = "Absent";
}
