/** Returns a fact that an outbox keeps about itself or a source; null if there is none. */
export const readFact = (sql: SqlStorage, key: string): string | null =>
  sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', key).toArray()[0]?.value ?? null;

/** Writes a fact. Null deletes it. */
export function writeFact(sql: SqlStorage, key: string, value: string | null): void {
  if (value === null) sql.exec('DELETE FROM meta WHERE key = ?', key);
  else sql.exec('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
}

/** Returns the facts whose keys begin with `kind` and a colon, by the rest of their keys. */
export function factsOf(sql: SqlStorage, kind: string): ReadonlyMap<string, string> {
  const rows = sql.exec<{ key: string; value: string }>(
    'SELECT key, value FROM meta WHERE key >= ? AND key < ?',
    `${kind}:`,
    // The character after the colon.
    `${kind};`,
  );
  return new Map(rows.toArray().map(({ key, value }) => [key.slice(kind.length + 1), value]));
}
