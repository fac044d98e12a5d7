import { placed } from '../../render/failure.ts';
import { digestOf } from '../../signature/basics/request.ts';
import type { DraftMessage, EventReason } from './acceptance.ts';

export const reasonsText = (reasons: readonly EventReason[]): string =>
  reasons
    .map(({ message, route, element, parameter, expression = '' }) =>
      route === undefined || parameter === undefined
        ? message
        : placed({ route, element, parameter, expression }, message),
    )
    .join('\n');

/** The routes of reasons: those that could not be rendered in whole. */
export const brokenRoutes = (reasons: readonly EventReason[] = []): readonly string[] =>
  reasons.flatMap(({ code, route, params }) =>
    code === 'duplicate'
      ? []
      : [...(route === undefined ? [] : [route]), ...(params?.['routes']?.split(', ') ?? [])],
  );

/** Of an event's id, within its source: two providers may use the same ids. A source's name cannot contain a newline. */
export const claimKey = (source: string, key: string): string => `${source}\n${key}`;

/** Of an item's id. A source's name cannot begin with `#`. */
export const itemClaimKey = (source: string, key: string): string => `#${claimKey(source, key)}`;

/** Among the ids of its source's items. A digest: texts are long, or not to be kept. A route's name has no newline. */
export const onceKey = (route: string | null, { once }: Pick<DraftMessage, 'once'>): string | undefined =>
  once === undefined ? undefined : `once:${digestOf(`${route}\n${once}`)}`;

export const keysOf = (draft: Pick<DraftMessage, 'route' | 'itemKey' | 'once'>): readonly string[] =>
  [draft.itemKey, onceKey(draft.route, draft)].filter((key) => key !== undefined);

/** An event never has more; a statement ends at 100 KB. */
const MAX_TAKEN = 5_000;

/** For `seq IN …`: an event's messages, in a row, and their fallbacks; null for no id. `taken`: from other accounts. */
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
