import { parseOwnJson } from '../../lib/own-json.ts';
import { outboxNames } from '../../outbox/outboxes.ts';
import type { CountedEvent } from '../../outbox/read/event-counts.ts';
import type { EventPage } from '../../outbox/read/list-events.ts';
import type { EventSummary } from '../../outbox/answers/api-event.ts';
import { words, type View } from '../../registry/view.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound } from '../request/input.ts';
import { pageOr, pageParams } from '../request/pages.ts';
import { eventFilter } from './event-filter.ts';
import { mergePages } from './merge.ts';
import { seenMessage } from './messages.ts';
import { SearchSum, type SearchedPage } from './search.ts';
import { countElsewhere, wholeEvent } from './whole-event.ts';

const seenSummary = {
  ...words('id', 'source', 'type', 'state', 'received_at', 'duplicates', 'config_version', 'stored'),
  ...words('locale', 'replay_of', 'replayed_by'),
  counts: 'words',
  reason: 'quoted',
  dedupe_key: 'exact',
  subject: 'exact',
} as const satisfies View<EventSummary>;

/** Headers or a query, as an event stores them; null if it stores none. */
type Texts = Readonly<Record<string, string>> | null;

/** `/events`: the events that were received. */
export const eventRoutes = {
  listEvents: apiRoute({
    method: 'GET',
    path: '/events',
    role: 'viewer',
    view: { items: seenSummary, next_cursor: 'id', searched: 'words' },
    query: { ...pageParams, ...eventFilter },
    guesses: ['text'],
    handle: async ({ env, query: { cursor, ...filter } }) => {
      const sum = new SearchSum();
      const page = await mergePages<CountedEvent>({
        outboxes: await outboxNames(env),
        limit: filter.limit,
        cursor,
        read: async (account, position): Promise<EventPage> =>
          sum.add(
            await env.OUTBOX.getByName(account).listEvents({ ...filter, cursor: position, isCounted: true }),
          ),
        time: ({ received_at }) => received_at,
        position: ({ id }) => id,
        isPosition: (text) => text.startsWith('evt_'),
      });
      const whole = page && { ...page, items: await countElsewhere(env, page.items) };
      return pageOr<SearchedPage<EventSummary>>(
        whole === null || filter.text === undefined ? whole : sum.of(whole),
      );
    },
  }),

  getEvent: apiRoute({
    method: 'GET',
    path: '/events/{id}',
    role: 'viewer',
    view: {
      ...seenSummary,
      payload: 'payload',
      headers: 'payload',
      query: 'payload',
      messages: seenMessage,
      messages_left_out: 'words',
      items: {
        ...words('route', 'index', 'outcome', 'waits', 'message', 'silence'),
        phone: 'phone',
        key: 'exact',
        incident: 'id',
      },
    },
    handle: async ({ env, params: { id } }) => {
      const event = await wholeEvent(env, id);
      if (event === null) return notFound(`event \`${id}\``);
      return {
        ...event,
        payload: parseOwnJson<unknown>(event.payload),
        headers: parseOwnJson<Texts>(event.headers),
        query: parseOwnJson<Texts>(event.query),
      };
    },
  }),
} satisfies ApiRoutes;
