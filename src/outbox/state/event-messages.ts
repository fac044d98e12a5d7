/** An event never has more; a statement ends at 100 KB. */
const MAX_TAKEN = 5_000;

/**
 * For `seq IN …`: the messages of an event. Its own messages have consecutive numbers; their fallbacks are found by
 * their links. For a text that is not an event's id, it is null in parentheses. `taken`: the numbers of messages that
 * were taken for the event from other accounts.
 */
export const ofEventSql = (eventId: string, taken: readonly (number | null)[] = []): string =>
  /^\w{1,64}$/.test(eventId)
    ? `(WITH RECURSIVE own (seq, fallback) AS (
         SELECT seq, fallback FROM messages, events
           WHERE id = '${eventId}' AND seq >= first_message AND seq < first_message + message_count
         UNION SELECT seq, fallback FROM messages WHERE seq IN (${taken.slice(0, MAX_TAKEN).join()})
         UNION SELECT next.seq, next.fallback FROM own JOIN messages AS next ON next.seq = json_extract(own.fallback, '$.by'))
       SELECT seq FROM own)`
    : '(NULL)';

/** Returns the language of an event (BCP 47); null if its source has one for all, or it was deleted. */
export const languageOf = (sql: SqlStorage, event: string | null): string | null =>
  sql.exec<{ locale: string | null }>('SELECT locale FROM events WHERE id = ?', event ?? '').toArray()[0]
    ?.locale ?? null;
