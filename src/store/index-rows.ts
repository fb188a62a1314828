import type { Database } from "bun:sqlite";
import type { Stamped } from "./unindexed.ts";

/** Some text's signature, and the row ids of the turns that it is of. */
export interface BlockRow {
  id: number;
  turns: number[];
  signature: Uint8Array;
  /** How many bits its triples have set. */
  marked: number;
  /** UTF-16 code units of text. */
  length: number;
}

/** What of sessions or turns the index holds, by row id. */
export const readStamps = (index: Database, of: "sessions" | "turns"): Map<number, string> =>
  new Map(
    index
      .query<Stamped, []>(`select id, stamp from ${of}`)
      .all()
      .map(({ id, stamp }) => [id, stamp]),
  );

/** The same of one turn. */
export const readTurnStamp = (index: Database, turnId: number): string | undefined =>
  index.query<{ stamp: string }, [number]>("select stamp from turns where id = ?").get(turnId)?.stamp;

export function saveStamp(index: Database, of: "sessions" | "turns", { id, stamp }: Stamped): void {
  index.query(`insert or replace into ${of} (id, stamp) values (?, ?)`).run(id, stamp);
}

type StoredBlock = Omit<BlockRow, "turns"> & { turns: string };

const columns = "id, turns, signature, marked, length";

const toBlock = ({ turns, ...block }: StoredBlock): BlockRow => ({ ...block, turns: JSON.parse(turns) as number[] });

/** The blocks that no segment has, in the order in which they were made. */
export const readBlocks = (index: Database): BlockRow[] =>
  index.query<StoredBlock, []>(`select ${columns} from blocks order by id`).all().map(toBlock);

/** The block that was made last. */
export function readLastBlock(index: Database): BlockRow | undefined {
  const row = index.query<StoredBlock, []>(`select ${columns} from blocks order by id desc limit 1`).get();
  return row ? toBlock(row) : undefined;
}

/** How many blocks no segment has. */
export const countBlocks = (index: Database): number =>
  (index.query("select count(*) as n from blocks").get() as { n: number }).n;

export function saveBlock(index: Database, { id, turns, signature, marked, length }: BlockRow): void {
  index
    .query("insert or replace into blocks (id, turns, signature, marked, length) values (?, ?, ?, ?, ?)")
    .run(id, JSON.stringify(turns), signature, marked, length);
}

/** Puts a segment in the place of the blocks that it is made of. */
export function saveSegment(index: Database, blocks: readonly BlockRow[], slices: readonly Uint8Array[]): void {
  const turns = Bun.zstdCompressSync(JSON.stringify(blocks.map((block) => block.turns)));
  const { lastInsertRowid } = index.query("insert into segments (turns) values (?)").run(turns);
  const from = Number(lastInsertRowid) * slices.length;
  const insert = index.query("insert into slices (id, rows) values (?, ?)");
  for (const [n, rows] of slices.entries()) insert.run(from + n, Bun.zstdCompressSync(rows, { level: 3 }));
  index.query("delete from blocks where id <= ?").run((blocks.at(-1) as BlockRow).id);
}

/** The numbers of the segments. */
export const listSegments = (index: Database): number[] =>
  index
    .query<{ id: number }, []>("select id from segments order by id")
    .all()
    .map(({ id }) => id);

/** A segment's slice by its number there. @throws where it is damaged, as SQLite does */
export function readSlice(index: Database, segment: number, slices: number, slice: number): Uint8Array {
  const sql = "select rows as packed from slices where id = ?";
  return unpack(index.query<Packed, [number]>(sql).get(segment * slices + slice));
}

/** The turns of each of a segment's blocks. @throws where it is damaged, as SQLite does */
export function readSegmentTurns(index: Database, segment: number): number[][] {
  const sql = "select turns as packed from segments where id = ?";
  return JSON.parse(unpack(index.query<Packed, [number]>(sql).get(segment)).toString()) as number[][];
}

interface Packed {
  packed: Uint8Array;
}

function unpack(row: Packed | null): Buffer {
  try {
    return Bun.zstdDecompressSync((row as Packed).packed);
  } catch (cause) {
    throw Object.assign(new Error("the search index is damaged", { cause }), { code: "SQLITE_CORRUPT" });
  }
}

/** Runs a reading as one snapshot. */
export function atOnce<Value>(db: Database, read: () => Value): Value {
  return db.transaction(read).deferred();
}

/** A number that another connection's writing changes. */
export const versionOf = (db: Database): number =>
  (db.query("pragma data_version").get() as { data_version: number }).data_version;
