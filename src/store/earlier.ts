import { constants, Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A session of the earlier program. Times are UTC milliseconds. */
export interface EarlierSession {
  id: string;
  project: string;
  createdAt: number;
  updatedAt: number;
  mergedInto: string | null;
}

/** A row of one of its tables; `origin` is the session in which it was written, whoever owns it now. */
export interface EarlierRow {
  origin: string;
  owner: string;
  turn: number | null;
  createdAt: number;
}
export type EarlierText = EarlierRow & { role: string; text: string };
export type EarlierDetail = EarlierRow & {
  row: number;
  kind: string | null;
  sourceId: string | null;
  tool: string;
  input: string | null;
  output: string | null;
};

/** All that is taken over from the earlier program's database. */
export interface Earlier {
  version: number;
  sessions: EarlierSession[];
  /** L1 lines. */
  skeletons: EarlierText[];
  /** L2; none in version 3. */
  bodies: EarlierText[];
  details: EarlierDetail[];
  /** Rows of tables that have no place here, by table. */
  others: Record<string, number>;
}

const versions = { first: 3, last: 9 };

/**
 * Reads the earlier program's database. The file is opened read-only and immutable, so that nothing is written to it or
 * beside it; where a WAL still holds rows, a copy of both is read.
 * @throws when it is no database, or of a schema that is not known
 */
export function readEarlier(path: string, folder: string): Earlier {
  const wal = `${path}-wal`;
  if (!existsSync(wal) || statSync(wal).size === 0) return readAll(path);
  const copies = mkdtempSync(join(folder, "earlier-"));
  try {
    copyFileSync(path, join(copies, "copy.db"));
    copyFileSync(wal, join(copies, "copy.db-wal"));
    const db = new Database(join(copies, "copy.db"), { readwrite: true, strict: true });
    db.run("pragma wal_checkpoint(truncate)");
    db.close();
    return readAll(join(copies, "copy.db"));
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

function readAll(path: string): Earlier {
  const { href } = pathToFileURL(path);
  using db = new Database(`${href}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  const version = db.query<{ user_version: number }, []>("pragma user_version").get()?.user_version ?? 0;
  if (version < versions.first || version > versions.last || !hasTable(db, "skeletons")) {
    throw new Error(
      `${path} has schema ${version}; the earlier program's databases that are understood have ${versions.first} to ${versions.last}`,
    );
  }
  return {
    version,
    sessions: readSessions(db),
    skeletons: readTexts(db, "skeletons", "summary"),
    bodies: readTexts(db, "bodies", "text"),
    details: readDetails(db),
    others: Object.fromEntries(
      ["judgments", "handoff_batons", "pending_handoffs"].flatMap((table) => {
        const n = hasTable(db, table) ? countRows(db, table) : 0;
        return n > 0 ? [[table, n]] : [];
      }),
    ),
  };
}

const hasTable = (db: Database, name: string): boolean =>
  db.query("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== null;

const countRows = (db: Database, table: string): number =>
  db.query<{ n: number }, []>(`select count(*) as n from ${table}`).get()?.n ?? 0;

const columnsOf = (db: Database, table: string): Set<string> =>
  new Set(
    db
      .query<{ name: string }, [string]>("select name from pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name),
  );

const readSessions = (db: Database): EarlierSession[] =>
  db
    .query<EarlierSession, []>(
      `select session_id as id, project_path as project, created_at as createdAt, updated_at as updatedAt,
         merged_into as mergedInto from sessions order by created_at, session_id`,
    )
    .all();

const rowColumns = `coalesce(nullif(origin_session_id, ''), session_id) as origin, session_id as owner, turn_number as turn,
  created_at as createdAt`;

const readTexts = (db: Database, table: string, text: string): EarlierText[] =>
  hasTable(db, table)
    ? db
        .query<EarlierText, []>(`select ${rowColumns}, role, ${text} as text from ${table} order by created_at, id`)
        .all()
    : [];

function readDetails(db: Database): EarlierDetail[] {
  if (!hasTable(db, "details")) return [];
  const has = columnsOf(db, "details");
  const column = (name: string) => (has.has(name) ? name : "null");
  return db
    .query<EarlierDetail, []>(
      `select ${rowColumns}, id as row, ${column("kind")} as kind, ${column("source_id")} as sourceId, tool_name as tool,
         input_text as input, output_text as output from details order by created_at, id`,
    )
    .all();
}
