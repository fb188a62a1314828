const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? `${error.code}` : "");

/** Whether an error says that the database file itself is damaged, or is none. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error));

/** Whether the file may be damaged: where its first page is, SQLite says that there is no such table. */
export const mayBeDamage = (error: unknown): boolean => isDamage(error) || codeOf(error) === "SQLITE_ERROR";
