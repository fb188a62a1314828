import type { Database } from "bun:sqlite";

export interface Column {
  name: string;
  type: string;
  notnull: number;
  /** Its place in the primary key, from 1; 0 outside. */
  pk: number;
}

/** The store's own tables. */
export const tablesOf = (db: Database): string[] =>
  db
    .query<{ name: string }, []>(
      "select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);

export const columnsOf = (db: Database, table: string, schema = "main"): Column[] =>
  db.query<Column, []>(`pragma ${schema}.table_info(${table})`).all();

/** The tables and indexes of a store. */
export const objectsOf = (db: Database): string[] =>
  db
    .query<{ name: string }, []>("select type || ' ' || name as name from main.sqlite_master order by 1")
    .all()
    .map(({ name }) => name);
