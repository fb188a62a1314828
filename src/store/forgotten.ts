import type { Database } from "bun:sqlite";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TurnHead } from "../types.ts";

/** What keeps a turn from coming back. Times are UTC milliseconds; 0 and 0 but for a session's name. */
export interface Tombstone {
  name: string;
  from: number;
  until: number;
}

/** What a turn may come back as. */
type Named = Pick<TurnHead, "uuid" | "startedAt" | "prompt">;

/** Says nothing of what it is made of, and is the same for the same. */
const nameOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);

/** A fork's copy, or its original: the same prompt in the same millisecond. */
const ofTwin = ({ startedAt, prompt = "" }: Named): string => nameOf(`twin:${startedAt}:${prompt}`);
/** For what the earlier program says of a session: it has no uuids. */
const ofSession = (session: string): string => nameOf(`session:${session}`);
/** For what a transcript says of a session of which only the earlier program told. */
const ofEarlier = (session: string): string => nameOf(`earlier:${session}`);

/** Whether anything was ever forgotten: one look at an empty table, as a rule. */
const isAnyForgotten = (db: Database): boolean => db.query("select 1 from forgotten limit 1").get() !== null;

const has = (db: Database, name: string, at = 0): boolean =>
  db.query("select 1 from forgotten where name = ? and ? between from_at and until_at limit 1").get(name, at) !== null;

/** Whether a turn that is new to the store was forgotten. */
export function isForgotten(db: Database, turn: Named, sessionId?: number): boolean {
  if (!isAnyForgotten(db)) return false;
  if (has(db, nameOf(turn.uuid)) || has(db, ofTwin(turn))) return true;
  const session = sessionId === undefined ? undefined : uuidOf(db, sessionId);
  if (session === undefined) return false;
  const ofThat = turn.uuid.startsWith("earlier:") ? ofSession(session) : ofEarlier(session);
  return has(db, ofThat, turn.startedAt);
}

const uuidOf = (db: Database, sessionId: number): string | undefined =>
  db.query<{ uuid: string }, [number]>("select uuid from sessions where id = ?").get(sessionId)?.uuid;

interface StoredName extends Named {
  id: number;
}

const promptOf = "coalesce((select text from messages where turn_id = turns.id and source_id = turns.uuid), '')";

/** The stored turns that were forgotten, by their row ids: such as a backup brings. */
export function findForgotten(db: Database): number[] {
  if (!isAnyForgotten(db)) return [];
  const all = new Set(
    db
      .query<{ name: string }, []>("select name from forgotten")
      .all()
      .map(({ name }) => name),
  );
  const rows = db.query<StoredName, []>(
    `select id, uuid, started_at as startedAt, ${promptOf} as prompt from turns
     union all select turn_id, turn_aliases.uuid, started_at, ${promptOf} from turn_aliases join turns on turns.id = turn_id`,
  );
  const ids = new Set<number>();
  for (const turn of rows.iterate()) if (all.has(nameOf(turn.uuid)) || all.has(ofTwin(turn))) ids.add(turn.id);
  return [...ids];
}

/** A turn goes on for so long after its last word, in milliseconds, where nothing says better. */
const slack = 60_000;

/** What is to keep a turn from coming back, under whatever name. */
export function tombstonesOf(db: Database, turnId: number): Tombstone[] {
  const turn = db
    .query(`select id, uuid, started_at as startedAt, ${promptOf} as prompt from turns where id = ?`)
    .get(turnId) as StoredName;
  const names = db
    .query<{ uuid: string }, { turnId: number }>(
      `select uuid from turns where id = $turnId union select uuid from turn_aliases where turn_id = $turnId
       union select source_id from messages where turn_id = $turnId and source_id not glob 'queue:*'`,
    )
    .all({ turnId })
    .map(({ uuid }) => nameOf(uuid));
  const plain = [...names, ofTwin(turn)].map((name) => ({ name, from: 0, until: 0 }));
  return [...plain, ...ofSessions(db, turn)];
}

function ofSessions(db: Database, { id, uuid, startedAt }: StoredName): Tombstone[] {
  const sessions = db
    .query<{ session: string; next: number | null }, { id: number }>(
      `select sessions.uuid as session,
         (select started_at from session_turns after join turns on turns.id = after.turn_id
          where after.session_id = own.session_id and after.position > own.position order by after.position limit 1) as next
       from session_turns own join sessions on sessions.id = own.session_id where own.turn_id = $id`,
    )
    .all({ id });
  const { last } = db.query("select max(at) as last from messages where turn_id = ?").get(id) as {
    last: number | null;
  };
  const name = uuid.startsWith("earlier:") ? ofEarlier : ofSession;
  return sessions.map(({ session, next }) => {
    const end = Math.min((last ?? startedAt) + slack, (next ?? Number.MAX_SAFE_INTEGER) - 1);
    return { name: name(session), from: startedAt, until: Math.max(startedAt, end) };
  });
}

/** Keeps turns from coming back into this store. */
export function saveTombstones(db: Database, tombstones: readonly Tombstone[]): void {
  const insert = db.query("insert or replace into forgotten (name, from_at, until_at) values ($name, $from, $until)");
  for (const tombstone of tombstones) insert.run({ ...tombstone });
}

/** The same beside the store, so that a store that is made anew knows of it: a line for each. */
const sideFile = (folder: string): string => join(folder, "forgotten");

export function appendTombstones(folder: string, tombstones: readonly Tombstone[]): void {
  const lines = tombstones.map(({ name, from, until }) => (from === 0 ? `${name}\n` : `${name} ${from} ${until}\n`));
  appendFileSync(sideFile(folder), lines.join(""), { mode: 0o600 });
}

/** Tells a store what the file beside it keeps from coming back. */
export function loadTombstones(db: Database, file: string): void {
  const side = sideFile(dirname(file));
  if (!existsSync(side)) return;
  const tombstones = [...readFileSync(side, "utf8").matchAll(/^([0-9a-f]{32})(?: (\d{1,15}) (\d{1,16}))?$/gm)].map(
    ([, name, from, until]) => ({ name: name as string, from: Number(from ?? 0), until: Number(until ?? 0) }),
  );
  db.transaction(() => saveTombstones(db, tombstones)).immediate();
}
