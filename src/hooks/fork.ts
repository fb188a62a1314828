import type { Database } from "bun:sqlite";
import type { Env } from "../env.ts";
import { findForkParent, joinHistory } from "../store/lineage.ts";
import { getSession, type Session } from "../store/sessions.ts";
import { readUnheard } from "./catch-up.ts";

/**
 * A history that was copied from another session has what that one had before it, whatever was believed of it till then.
 * @param isNew whether the other one may not have been read yet, because this session's file is seen for the first time
 */
export function joinFork(db: Database, env: Env, { id }: Session, isNew: boolean): void {
  const session = getSession(db, id);
  if (session.linkReason === "uuids" || session.linkReason === "hand") return;
  const parent = findForkParent(db, session) ?? (isNew ? findUnread(db, env, session) : undefined);
  if (parent) db.transaction(() => joinHistory(db, session, parent, env.now())).immediate();
}

function findUnread(db: Database, env: Env, session: Session): Session | undefined {
  if (session.source === "clear") return undefined;
  readUnheard(db, env, session);
  return findForkParent(db, session);
}
