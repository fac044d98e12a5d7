/** Returns the language of an event (BCP 47); null if its source has one for all, or it was deleted. */
export const languageOf = (sql: SqlStorage, event: string | null): string | null =>
  sql.exec<{ locale: string | null }>('SELECT locale FROM events WHERE id = ?', event ?? '').toArray()[0]
    ?.locale ?? null;
