import type { Database } from "bun:sqlite";
import { readDetails } from "../../src/store/details.ts";
import type { Detail } from "../../src/types.ts";

/** Every stored detail with its turn's uuid, by turn and in order. */
export const allDetails = (db: Database): (Detail & { turn: string })[] =>
  db
    .query<{ id: number; turn: string }, []>("select id, uuid as turn from turns order by uuid")
    .all()
    .flatMap(({ id, turn }) => readDetails(db, id).map((detail) => ({ turn, ...detail })));
