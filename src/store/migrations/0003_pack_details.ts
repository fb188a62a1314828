import type { Database } from "bun:sqlite";
import type { Detail } from "../../types.ts";
import { addDetails, readDetails, replaceDetails } from "../details.ts";
import { lostText } from "../merge-packs.ts";
import { unpack } from "../pack.ts";

interface Row {
  sourceId: string;
  kind: Detail["kind"];
  tool: string | null;
  at: number;
  input: string | Uint8Array | null;
  output: string | Uint8Array | null;
  copied: number;
}

/** The table that `packOldDetails` takes out, for what was stored in an older schema and is saved into this one. */
export const oldDetails = `create table details (id integer primary key, turn_id integer not null, source_id text not null,
  kind text not null, tool text, at integer not null, input any, output any, copied integer not null default 0,
  unique (turn_id, source_id)) strict`;

/** Puts what the table `details` of schema 1 and 2 holds into packs, and drops it. What is packed already stands. */
export function packOldDetails(db: Database): void {
  const turns = db.query<{ id: number }, []>("select distinct turn_id as id from details order by 1").all();
  for (const { id } of turns) replaceDetails(db, id, addDetails(readDetails(db, id), readOld(db, id)));
  db.run("drop table details");
}

const readOld = (db: Database, turnId: number): Detail[] =>
  db
    .query<Row, [number]>(
      `select source_id as sourceId, kind, tool, at, input, output, copied from details where turn_id = ? order by id`,
    )
    .all(turnId)
    .map(({ tool, input, output, copied, ...detail }) => ({
      ...detail,
      ...(tool === null ? {} : { tool }),
      ...(input === null ? {} : { input: unpackOld(input) }),
      ...(output === null ? {} : { output: unpackOld(output) }),
      ...(copied === 0 ? {} : { copied: true as const }),
    }));

function unpackOld(value: string | Uint8Array): string {
  try {
    return unpack(value) as string;
  } catch (error) {
    if (error instanceof Error) return lostText;
    throw error;
  }
}
