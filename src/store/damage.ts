/** Whether an error says that the database file itself is damaged, or is none. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^SQLITE_(?:CORRUPT|NOTADB)/.test(`${error.code}`);
